#include "agent/native/java_side.h"

#include "agent/native/modified_utf8.h"
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define JAR_NAME "memcity-agent.jar"
#define MAX_LOCALS 64

static mc_java_side side;

bool mc_java_side_catch(JNIEnv *jni, char *text, size_t text_size) {
    jthrowable thrown = (*jni)->ExceptionOccurred(jni);
    if (!thrown) return false;
    (*jni)->ExceptionClear(jni);
    if (text) {
        jclass type = (*jni)->GetObjectClass(jni, thrown);
        jmethodID to_string = (*jni)->GetMethodID(jni, type, "toString", "()Ljava/lang/String;");
        jstring string = to_string ? (*jni)->CallObjectMethod(jni, thrown, to_string) : NULL;
        const char *chars = string ? (*jni)->GetStringUTFChars(jni, string, NULL) : NULL;
        mc_modified_utf8_print(text, text_size, "%s", chars ? chars : "an exception");
        if (chars) (*jni)->ReleaseStringUTFChars(jni, string, chars);
        if (string) (*jni)->DeleteLocalRef(jni, string);
        (*jni)->DeleteLocalRef(jni, type);
        (*jni)->ExceptionClear(jni);
    }
    (*jni)->DeleteLocalRef(jni, thrown);
    return true;
}

static bool find_jar(char path[PATH_MAX]) {
    Dl_info info;
    if (!dladdr((const void *)&side, &info) || !info.dli_fname) return false;
    const char *slash = strrchr(info.dli_fname, '/');
    int folder_size = slash ? (int)(slash - info.dli_fname) : 1;
    const char *folder = slash ? info.dli_fname : ".";
    int size = snprintf(path, PATH_MAX, "%.*s/%s", folder_size, folder, JAR_NAME);
    return size > 0 && size < PATH_MAX;
}

// The functions from here on may leave an exception pending, and return NULL then.

static jobject get_url(JNIEnv *jni, const char *path) {
    jclass file = (*jni)->FindClass(jni, "java/io/File");
    jclass uri = file ? (*jni)->FindClass(jni, "java/net/URI") : NULL;
    jstring string = uri ? (*jni)->NewStringUTF(jni, path) : NULL;
    if (!string) return NULL;
    jmethodID create = (*jni)->GetMethodID(jni, file, "<init>", "(Ljava/lang/String;)V");
    jmethodID to_uri = (*jni)->GetMethodID(jni, file, "toURI", "()Ljava/net/URI;");
    jmethodID to_url = (*jni)->GetMethodID(jni, uri, "toURL", "()Ljava/net/URL;");
    jobject object = (*jni)->NewObject(jni, file, create, string);
    jobject place = object ? (*jni)->CallObjectMethod(jni, object, to_uri) : NULL;
    return place ? (*jni)->CallObjectMethod(jni, place, to_url) : NULL;
}

static jobject make_loader(JNIEnv *jni, const char *path) {
    jobject url = get_url(jni, path);
    jclass url_class = url ? (*jni)->FindClass(jni, "java/net/URL") : NULL;
    jclass loader = url_class ? (*jni)->FindClass(jni, "java/net/URLClassLoader") : NULL;
    jobjectArray urls = loader ? (*jni)->NewObjectArray(jni, 1, url_class, url) : NULL;
    if (!urls) return NULL;
    jmethodID create =
        (*jni)->GetMethodID(jni, loader, "<init>", "([Ljava/net/URL;Ljava/lang/ClassLoader;)V");
    return create ? (*jni)->NewObject(jni, loader, create, urls, NULL) : NULL;
}

static jclass load_instrumenter(JNIEnv *jni, jobject loader) {
    jclass type = (*jni)->GetObjectClass(jni, loader);
    jmethodID load =
        (*jni)->GetMethodID(jni, type, "loadClass", "(Ljava/lang/String;)Ljava/lang/Class;");
    jstring name = load ? (*jni)->NewStringUTF(jni, "memcity.agent.Instrumenter") : NULL;
    return name ? (*jni)->CallObjectMethod(jni, loader, load, name) : NULL;
}

static jclass define(JNIEnv *jni, jclass instrumenter, const char *name) {
    char file[64];
    snprintf(file, sizeof file, "%s.class", name);
    jmethodID read = (*jni)->GetStaticMethodID(jni, instrumenter, "read", "(Ljava/lang/String;)[B");
    jstring string = read ? (*jni)->NewStringUTF(jni, file) : NULL;
    jbyteArray array =
        string ? (*jni)->CallStaticObjectMethod(jni, instrumenter, read, string) : NULL;
    jbyte *bytes = array ? (*jni)->GetByteArrayElements(jni, array, NULL) : NULL;
    if (!bytes) return NULL;
    jclass type = (*jni)->DefineClass(jni, name, NULL, bytes, (*jni)->GetArrayLength(jni, array));
    (*jni)->ReleaseByteArrayElements(jni, array, bytes, JNI_ABORT);
    return type;
}

static bool find_methods(JNIEnv *jni) {
    const struct {
        jclass type;
        const char *name, *signature;
        jmethodID *id;
    } methods[] = {
        {side.runtime, "drain", "([JZ)I", &side.drain},
        {side.runtime, "takeThreads", "()[Ljava/lang/Thread;", &side.take_threads},
        {side.runtime, "takeUnfollowedCount", "()J", &side.take_unfollowed},
        {side.instrumenter, "start", "(ZZ)V", &side.start},
        {side.instrumenter, "transform", "(Ljava/lang/ClassLoader;Ljava/lang/String;[B)[B",
         &side.transform},
        {side.instrumenter, "hasChanged", "(Ljava/lang/Class;)Z", &side.has_changed},
        {side.instrumenter, "findClass", "(I)Ljava/lang/Class;", &side.find_class},
        {side.instrumenter, "findMethod", "(ILjava/lang/String;)I", &side.find_method},
        {side.instrumenter, "describe", "()Ljava/lang/String;", &side.describe},
    };
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        *methods[i].id =
            (*jni)->GetStaticMethodID(jni, methods[i].type, methods[i].name, methods[i].signature);
        if (!*methods[i].id) return false;
    }
    return true;
}

static bool load(JNIEnv *jni, const char *path) {
    jobject loader = make_loader(jni, path);
    jclass instrumenter = loader ? load_instrumenter(jni, loader) : NULL;
    if (!instrumenter || !define(jni, instrumenter, "java/lang/MemcityThread")) return false;
    jclass runtime = define(jni, instrumenter, "java/lang/MemcityMethods");
    if (!runtime) return false;
    side.runtime = (*jni)->NewGlobalRef(jni, runtime);
    side.instrumenter = (*jni)->NewGlobalRef(jni, instrumenter);
    side.loader = (*jni)->NewGlobalRef(jni, loader);
    return side.runtime && side.instrumenter && side.loader && find_methods(jni);
}

const mc_java_side *mc_java_side_load(JNIEnv *jni, char *text, size_t text_size) {
    static bool is_loaded;
    char path[PATH_MAX] = JAR_NAME, reason[160] = "it was not found";
    if (is_loaded) return &side;
    if (find_jar(path) && (*jni)->PushLocalFrame(jni, MAX_LOCALS) == 0) {
        is_loaded = load(jni, path);
        mc_java_side_catch(jni, reason, sizeof reason);
        (*jni)->PopLocalFrame(jni, NULL);
    }
    if (!is_loaded) mc_modified_utf8_print(text, text_size, "can't load %s: %s", path, reason);
    return is_loaded ? &side : NULL;
}
