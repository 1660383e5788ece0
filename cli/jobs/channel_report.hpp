#pragma once

#include "command.hpp"
#include "jobs/filter_job.hpp"
#include "parts/picture_filter.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard::cli {

/// Numbers of a filter on several channels, one row each, with their totals.
class ChannelReport {
public:
    explicit ChannelReport(const std::vector<std::string>& names);

    /// Adds a channel's tree. The session of @p result is not kept.
    void addTree(std::size_t channel, const Filtered& result);
    /// Adds a channel that was filtered in chunks.
    void addChunks(std::size_t channel, const PictureFilterReport& result);
    void setTime(double milliseconds) { report_.milliseconds = milliseconds; } ///< of all chunks
    void setChanged(std::size_t channel, std::uint64_t pixels) { rows_[channel].changed = pixels; }
    /// Criteria of this channel only.
    void setCriteria(std::size_t channel, std::vector<std::string> texts) {
        rows_[channel].criteria = std::move(texts);
    }
    /// Names the only channel with a tree.
    void setGuide(const std::string& name) { guide_ = name; }

    /// The fields of a filter on one channel as totals, and `channels`.
    /// @param asked with the criteria of all channels
    void print(const FilterRequest& request, const FilterSpec& asked, const Context& context) const;

private:
    struct Row {
        std::string name;
        std::vector<std::string> criteria = {};
        bool hasTree = false;
        bool isCut = false; ///< nodes and kept ones are not counted, see StreamedReport
        std::uint64_t nodes = 0;
        std::uint64_t kept = 0;
        std::uint64_t removed = 0;
        std::uint64_t changed = 0; ///< pixels
    };

    [[nodiscard]] std::uint64_t sum(std::uint64_t Row::*value) const;
    [[nodiscard]] Json json(const FilterRequest& request, const FilterSpec& filter) const;
    void printTables(const FilterRequest& request, const FilterSpec& filter, std::ostream& out) const;

    std::vector<Row> rows_;
    std::string guide_;
    BuiltTree built_; ///< without a session: times in total, the largest depth and estimate
    std::uint64_t leaves_ = 0;
    FilterSpec filter_;
    FilterReport report_;                       ///< times in total
    std::optional<PictureFilterReport> chunks_; ///< in total, if channels were filtered in chunks
    std::uint32_t width_ = 0;
    std::uint32_t height_ = 0;
    int bits_ = 0;
};

} // namespace pollard::cli
