#pragma once

#include <cstddef>

namespace pollard {

/// While it lives, large blocks that freeBytes() frees, up to a number of bytes (with those of other reserves), are
/// kept for the next that allocateBytes() returns: the system clears every page that it hands out, which takes
/// up to a fifth of the time of a job that builds one tree after another. They go back to the system where memory is
/// short.
class BlockReserve {
public:
    explicit BlockReserve(std::size_t bytes);
    BlockReserve(const BlockReserve&) = delete;
    BlockReserve& operator=(const BlockReserve&) = delete;
    ~BlockReserve();

private:
    std::size_t bytes_;
};

} // namespace pollard
