#pragma once

#include "trace/text.hpp"
#include "watched/connect_watch.hpp"

#include <array>
#include <cstddef>

namespace pollard::teach {

/// CONNECT (Blin et al. 2022, algorithms 6 and 7) in words, the last part of a player's pseudo-code.
inline constexpr std::array kConnectLines{
    POLLARD_TEACH("connect(p, q), in each thread: a = the lower of them, b = the other"),
    POLLARD_TEACH("    climb from a and b, as long as the parents are not lower than a"),
    POLLARD_TEACH("    if a is b: done"),
    POLLARD_TEACH("    old = b's parent; b's parent becomes a, in one atomic operation"),
    POLLARD_TEACH("    if another thread changed it first: old is the parent which that thread wrote"),
    POLLARD_TEACH("    if there is an old parent: connect it with a, else done"),
};

/// Pseudo-code that ends with CONNECT.
template <std::size_t Lines> [[nodiscard]] constexpr std::array<const char*, Lines + kConnectLines.size()>
withConnectLines(const std::array<const char*, Lines>& lines) {
    std::array<const char*, Lines + kConnectLines.size()> all{};
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = i < Lines ? lines[i] : kConnectLines[i - Lines];
    }
    return all;
}

/// @param first line of connect()
[[nodiscard]] constexpr ConnectTexts connectTexts(int first) {
    return {
        .start = {POLLARD_TEACH("Thread %1 takes the edge between %2 and %3: their trees must become one."), first},
        .climb = {POLLARD_TEACH("Thread %1 climbs, and compares %2 with %3."), first + 1},
        .linkRoot = {POLLARD_TEACH("Thread %1: %2 had no parent, and %3 becomes its parent. The edge is done."),
                     first + 3},
        .link = {POLLARD_TEACH(
                     "Thread %1: %3 becomes the parent of %2 instead of %4, which must be connected with %3 next."),
                 first + 5},
        .linkOther = {POLLARD_TEACH("Thread %1: %3 becomes the parent of %2. Another thread has put %4 there in the "
                                    "meantime, which must not get lost: it is connected with %3 next."),
                      first + 4},
        .late = {POLLARD_TEACH("Thread %1 tries to make %3 the parent of %2, but another thread was first: the parent "
                               "is %4. The thread tries again from there."),
                 first + 4},
        .lateSame = {POLLARD_TEACH("Thread %1: another thread has made %3 the parent of %2 in the meantime."),
                     first + 4},
        .meet = {POLLARD_TEACH("Thread %1 comes to %2 from both sides: the edge joins nothing new."), first + 2},
        .meetAgain = {POLLARD_TEACH("Thread %1 comes to %2 from both sides: everything below is joined already."),
                      first + 2},
    };
}

} // namespace pollard::teach
