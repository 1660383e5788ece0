#pragma once

// POLLARD_ASAN: set when compiled with AddressSanitizer. g++ defines a macro, clang has a feature.

#if defined(__SANITIZE_ADDRESS__)
#define POLLARD_ASAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POLLARD_ASAN
#endif
#endif
