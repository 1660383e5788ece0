/// Replaces dlclose() for tests under LeakSanitizer, which needs loaded libraries to name the library of a leak: Qt
/// unloads its platform plugin at exit, and blocks of the plugin and of the X libraries would be reported from
/// "<unknown module>", which no suppression can match.
extern "C" int dlclose(void* /*handle*/) { return 0; }
