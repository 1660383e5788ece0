#pragma once

// POLLARD_ASAN, POLLARD_TSAN: set when compiled with that sanitizer. g++ defines macros, clang has features.

#if defined(__SANITIZE_ADDRESS__)
#define POLLARD_ASAN
#elif defined(__SANITIZE_THREAD__)
#define POLLARD_TSAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POLLARD_ASAN
#elif __has_feature(thread_sanitizer)
#define POLLARD_TSAN
#endif
#endif
