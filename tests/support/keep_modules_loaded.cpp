/// Replaces dlclose() for a test under LeakSanitizer, which names a leak's library only while that library is loaded:
/// Qt unloads its platform plugin at exit, and the plugin's and the X libraries' own blocks would then be reported
/// from "<unknown module>", where no suppression can match them.
extern "C" int dlclose(void* /*handle*/) { return 0; }
