#pragma once

#include "vm/document/opened_page.hpp"

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <utility>

namespace pollard::vm {

/// Pages of one stack with their trees, for a fast return. When memory is full, the least recently used page is dropped
/// first. Lives on the compute thread like its sessions.
class PageCache {
public:
    struct Budget {
        std::uint64_t host = 0;   ///< bytes of main memory; 0 keeps nothing
        std::uint64_t device = 0; ///< bytes on the device of an engine that has one
    };

    /// Pages beyond a smaller budget are dropped at once.
    void setBudget(const Budget& budget);
    /// Keeps a page, unless it alone exceeds the budget; replaces one of the same number.
    void keep(int number, OpenedPage page);
    /// Takes a page out.
    [[nodiscard]] std::optional<OpenedPage> take(int number);
    void clear() noexcept;

    [[nodiscard]] std::size_t pages() const noexcept { return entries_.size(); }
    [[nodiscard]] std::uint64_t hostBytes() const noexcept { return hostBytes_; }

private:
    struct Entry {
        int number = 0;
        std::uint64_t hostBytes = 0;
        std::uint64_t deviceBytes = 0;
        OpenedPage page;
    };
    void makeRoom(std::uint64_t hostBytes, std::uint64_t deviceBytes);
    void erase(std::list<Entry>::iterator entry);

    Budget budget_;
    std::list<Entry> entries_; ///< most recently used first
    std::uint64_t hostBytes_ = 0;
    std::uint64_t deviceBytes_ = 0;
};

} // namespace pollard::vm
