#pragma once

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <optional>
#include <utility>

namespace pollard {

/// Threads for work outside sessions, limited in number.
class ThreadArena {
public:
    /// @param threads 0 = all cores
    explicit ThreadArena(int threads) : arena_(threads > 0 ? threads : tbb::task_arena::automatic) {
        if (threads > tbb::info::default_concurrency()) {
            moreThreads_.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
        }
    }

    /// Runs @p work on these threads and returns its result.
    template <class Work> decltype(auto) execute(Work&& work) { return arena_.execute(std::forward<Work>(work)); }

private:
    std::optional<tbb::global_control> moreThreads_; ///< allows oneTBB more than one thread per core
    tbb::task_arena arena_;
};

} // namespace pollard
