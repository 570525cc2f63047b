#include "app/answers/question.h"

#include <string.h>

mc_result mc_question_ask_now(const mc_question *question, mc_dataset *dataset, const void *key,
                              void *answer, const mc_progress *progress, mc_error *error) {
    void *memory = NULL;
    mc_ask ask = {dataset, dataset->trace, &memory, progress};
    memset(answer, 0, question->answer_size);
    mc_result result = question->ask(&ask, key, answer, error);
    if (memory && question->forget) question->forget(memory);
    return result;
}

void mc_question_drop_answer(const mc_question *question, void *answer) {
    if (question->deinit) question->deinit(answer);
    memset(answer, 0, question->answer_size);
}
