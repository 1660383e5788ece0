#pragma once

#include "base/job_control.hpp"
#include "io/write/pixel_rows.hpp"
#include "parts/folder_guard.hpp"
#include "parts/part_folder.hpp"
#include "parts/picture_filter.hpp"
#include "parts/pixel_store.hpp"
#include "recipe/channel_file.hpp"

#include <optional>
#include <span>
#include <vector>

namespace pollard {

/// A filtered picture or volume in a working file, for results that are written row by row.
class StoredFilter {
public:
    /// Filters all chunks, those that an earlier run has not written if the request resumes it.
    /// The working files are removed with this.
    /// @param keeps they stay after a failure or stop
    /// @throws as StreamedFilter and PixelStore; Error(fileDamaged) to resume without the pixels of earlier chunks;
    /// Cancelled
    StoredFilter(const PictureFilter& request, const PictureChunks& chunks, bool keeps, const JobControl& control);

    [[nodiscard]] const PictureFilterReport& report() const noexcept { return report_; }
    /// This must outlive the result.
    [[nodiscard]] PixelRows rows() const;
    /// The result is complete: the working files are needed no more.
    void finish() noexcept { guard_.finish(); }

private:
    Output output_;
    PartFolder folder_;
    FolderGuard guard_;
    std::optional<PixelStore> store_;
    PictureFilterReport report_;
};

/// Filters the channels of a picture one after another, each with a tree of its own, and writes the file
/// that ChannelFile::write() writes of channels that are filtered in memory. Working files are in folders of the
/// channels in workFolder().
/// @param request of the picture; its options of reading and its filter are ignored @param filters one for each channel
/// @return reports on the channels
/// @throws as PictureChunks, StoredFilter, with the name of the channel; Error(invalidArgument) for channels that
/// differ in size or depth; errors of ChannelFile::writePlanes(); Cancelled
[[nodiscard]] std::vector<PictureFilterReport> filterChannels(const PictureFilter& request, const ChannelFile& file,
                                                              std::span<const FilterSpec> filters,
                                                              const JobControl& control = {});

/// Filters a picture or volume of any size exactly, see StreamedFilter, and writes the file that writeResult() writes
/// of it in memory, row by row. The target appears when it is complete. Working files as those of filterPicture().
/// @throws as PictureChunks, StoredFilter and writeResult(); Cancelled
[[nodiscard]] PictureFilterReport filterByRows(const PictureFilter& request, const JobControl& control = {});

} // namespace pollard
