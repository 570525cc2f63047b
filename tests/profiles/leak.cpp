// A leak in C++, and a healthy twin: sessions that are kept, beside work that is freed at once.
#include <cstring>
#include <map>
#include <string>
#include <unistd.h>
#include <vector>

struct Session {
    std::string user;
    std::vector<char> body;
};

static std::map<int, Session *> sessions;

static void open_session(int i) {
    Session *session = new Session;
    session->user = "user" + std::to_string(i) + std::string(40, 'x');
    session->body.resize(4096 + (i % 7) * 512);
    sessions[i] = session;
}

static void end_session(int i) {
    auto found = sessions.find(i);
    if (found == sessions.end()) return;
    delete found->second;
    sessions.erase(found);
}

static size_t work(int i) {
    std::vector<std::string> texts;
    for (int k = 0; k < 20; k++)
        texts.emplace_back(64 + k + i % 3, 'y');
    return texts.size();
}

// shop leak|healthy COUNT
int main(int, char **arguments) {
    bool leaks = strcmp(arguments[1], "leak") == 0;
    int count = std::stoi(arguments[2]);
    size_t done = 0;
    for (int i = 0; i < count; i++) {
        open_session(i);
        done += work(i);
        if (!leaks || i % 4 == 0) end_session(i - 8);
        usleep(500);
    }
    return done == 0;
}
