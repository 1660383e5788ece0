#pragma once

#include "base/job_control.hpp"
#include "image/value_mapping.hpp"
#include "io/write/text_file.hpp"
#include "snake/snake_run.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace pollard {

/// Page and contour of a state, for traces of several.
struct TraceKey {
    std::optional<int> page;              ///< 0-based
    std::optional<std::uint32_t> contour; ///< 1-based
    std::string_view axis = "page";       ///< of `page`: the title of its column

    bool operator==(const TraceKey&) const = default;
};

/// Record of a state in a trace, without its nodes.
struct TraceRow {
    TraceKey key;
    std::uint32_t round = 0;
    SnakeStep kind = SnakeStep::start;
    std::uint32_t reach = 0; ///< px
    std::size_t nodes = 0;
    double energy = 0;
    RegionSums inside;
    RegionSums outside;
    std::optional<ValueMapping> values = {}; ///< of the levels, which are no ranks

    [[nodiscard]] static TraceRow of(const SnakeState& state, const TraceKey& key = {},
                                     const std::optional<ValueMapping>& values = {});
};

/// CSV table of states, a line each: change, kind, step in px, nodes, energy, number, mean and variance of the pixels
/// inside, mean and variance of those outside. The file appears at commit().
class TraceFile {
public:
    /// @param first key of the first state; its members that are set become the first columns
    /// @throws Error(writeFailed)
    explicit TraceFile(const std::filesystem::path& path, const TraceKey& first = {});

    /// @param key sets the same members as the first key
    /// @throws Error(writeFailed), Cancelled
    /// @param values of the levels, which are no ranks
    void add(const SnakeState& state, const TraceKey& key = {}, const JobControl& control = {},
             const std::optional<ValueMapping>& values = {}) {
        add(TraceRow::of(state, key, values), control);
    }
    void add(const TraceRow& row, const JobControl& control = {});
    /// @throws Error(writeFailed)
    void commit() { file_.commit(); }

private:
    TextFile file_;
};

} // namespace pollard
