#include "app/answers/question.h"

#include <string.h>

void mc_question_drop_answer(const mc_question *question, void *answer) {
    if (question->deinit) question->deinit(answer);
    memset(answer, 0, question->answer_size);
}
