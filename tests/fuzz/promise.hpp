#pragma once

#include <cstdlib>
#include <iostream>
#include <string_view>

namespace pollard::fuzz {

/// Ends the program with an error, which the fuzzer reports, if a condition does not hold.
inline void require(bool holds, std::string_view what) {
    if (!holds) {
        std::cerr << "broken promise: " << what << '\n';
        std::abort();
    }
}

} // namespace pollard::fuzz
