#pragma once

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <optional>
#include <utility>

namespace pollard::cli {

/// Threads for work that is no session's: as many as --threads says.
class ThreadArena {
public:
    /// @param threads 0 = all cores
    explicit ThreadArena(int threads) : arena_(threads > 0 ? threads : tbb::task_arena::automatic) {
        if (threads > tbb::info::default_concurrency()) {
            moreThreads_.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
        }
    }

    /// Does @p work with these threads and gives back what it returns.
    template <class Work> decltype(auto) execute(Work&& work) { return arena_.execute(std::forward<Work>(work)); }

private:
    std::optional<tbb::global_control> moreThreads_; ///< lets oneTBB go beyond one thread a core
    tbb::task_arena arena_;
};

} // namespace pollard::cli
