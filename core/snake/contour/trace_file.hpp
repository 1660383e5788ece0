#pragma once

#include "base/job_control.hpp"
#include "io/write/text_file.hpp"
#include "snake/snake_run.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace pollard {

/// Which snake of which page a state is of, where a trace holds several.
struct TraceKey {
    std::optional<int> page;              ///< 0-based
    std::optional<std::uint32_t> contour; ///< from 1 on

    bool operator==(const TraceKey&) const = default;
};

/// What a trace says of a state: all but its nodes.
struct TraceRow {
    TraceKey key;
    std::uint32_t round = 0;
    SnakeStep kind = SnakeStep::start;
    std::uint32_t reach = 0; ///< px
    std::size_t nodes = 0;
    double energy = 0;
    RegionSums inside;
    RegionSums outside;

    [[nodiscard]] static TraceRow of(const SnakeState& state, const TraceKey& key = {});
};

/// A table of states as CSV, a line each: change, kind, step in px, nodes, energy, number, mean and variance of the
/// pixels inside, mean and variance of those outside. It appears under its name at commit().
class TraceFile {
public:
    /// @param first key of the first state: columns come before the others for what it has
    /// @throws Error(writeFailed)
    explicit TraceFile(const std::filesystem::path& path, const TraceKey& first = {});

    /// @param key has what the first one has
    /// @throws Error(writeFailed), Cancelled
    void add(const SnakeState& state, const TraceKey& key = {}, const JobControl& control = {}) {
        add(TraceRow::of(state, key), control);
    }
    void add(const TraceRow& row, const JobControl& control = {});
    /// @throws Error(writeFailed)
    void commit() { file_.commit(); }

private:
    TextFile file_;
};

} // namespace pollard
