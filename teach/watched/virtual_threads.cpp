#include "watched/virtual_threads.hpp"

#include <algorithm>
#include <utility>

namespace pollard::teach {

VirtualThreads::VirtualThreads(std::uint32_t count, Turns turns, std::uint32_t seed, std::span<const std::uint8_t> hand)
    : count_(count), turns_(turns), random_(seed), hand_(hand) {}

void VirtualThreads::Thread::run(void* self) {
    auto& thread = *static_cast<Thread*>(self);
    thread.threads.share_(thread.number);
    thread.ended = true;
    while (true) {
        thread.threads.turn(); // never resumed
    }
}

bool VirtualThreads::run(std::function<void(std::uint32_t)> share) {
    share_ = std::move(share);
    threads_.clear();
    for (std::uint32_t t = 0; t < count_; ++t) {
        threads_.push_back(std::make_unique<Thread>(*this, t));
        resume(t);
    }
    current_ = count_ - 1; // so that thread 0 is next
    while (true) {
        const std::vector<std::uint8_t> ready = waiting();
        std::uint32_t next = 0;
        if (ready.empty()) {
            return true;
        }
        if (!choose(ready, next)) {
            return false;
        }
        resume(next);
    }
}

void VirtualThreads::turn() { threads_[current_]->fibre.handOver(main_); }

std::vector<std::uint8_t> VirtualThreads::waiting() const {
    std::vector<std::uint8_t> ready;
    for (const auto& thread : threads_) {
        if (!thread->ended) {
            ready.push_back(static_cast<std::uint8_t>(thread->number));
        }
    }
    return ready;
}

void VirtualThreads::resume(std::uint32_t thread) {
    current_ = thread;
    main_.handOver(threads_[thread]->fibre);
}

bool VirtualThreads::choose(const std::vector<std::uint8_t>& waiting, std::uint32_t& thread) {
    if (turns_ == Turns::inOrder || waiting.size() == 1) {
        const auto next = std::ranges::upper_bound(waiting, current_);
        thread = next != waiting.end() ? *next : waiting.front();
        return true;
    }
    if (turns_ == Turns::random) {
        thread = waiting[random_.below(static_cast<std::uint32_t>(waiting.size()))];
        return true;
    }
    while (!hand_.empty()) {
        thread = hand_.front();
        hand_ = hand_.subspan(1);
        if (std::ranges::binary_search(waiting, thread)) {
            return true;
        }
    }
    return false;
}

} // namespace pollard::teach
