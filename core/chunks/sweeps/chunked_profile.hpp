#pragma once

#include "base/job_control.hpp"
#include "chunks/image_chunks.hpp"
#include "chunks/part_job.hpp"
#include "chunks/sweeps/closed_sweep.hpp"
#include "chunks/work_folder.hpp"
#include "engine/profile.hpp"
#include "image/image.hpp"
#include "image/value_mapping.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace pollard {

/// The job of a profile. @throws Error(invalidArgument) with profileProblem(), or as measuringJob()
[[nodiscard]] PartJob profileJob(const ChunkGrid& grid, PixelType type, TreeKind kind, Connectivity connectivity,
                                 const ProfileSpec& spec);

/// Why a profile cannot be made in chunks: an attribute that is not measured in chunks, or a rule that looks
/// at descendants for an attribute that can decrease to the parent. Empty if it can.
[[nodiscard]] std::string profileProblem(const ProfileSpec& spec, bool isVolume);

/// Makes an attribute profile of an image or volume larger than memory, exactly, chunk by chunk; see AttributeProfile.
/// The values of closed nodes do not depend on thresholds: one sweep finds them for all pages. Then the decisions of
/// each threshold go back to the chunks, and each chunk's tree, built again unless it was kept, makes its part of all
/// pages.
class ChunkedProfile {
public:
    /// Receives the pixels of a chunk in a page, on the calling thread.
    using Writer = std::function<void(std::size_t page, const FilteredChunk& chunk)>;

    /// @param job profileJob() of the same spec @param folder for working files
    /// @param memory that merges and results of all thresholds may take, in bytes
    /// @param mapping of the levels
    ChunkedProfile(const PartJob& job, ProfileSpec spec, ChunkReader reader, ChunkTreeOptions options,
                   const WorkFolder& folder, std::uint64_t memory, const std::optional<ValueMapping>& mapping = {});

    /// Makes all pages. @return their facts, equal to the results of AttributeProfile::page()
    /// @throws Error(outOfMemory) if open nodes need more memory than allowed; exceptions of the reader, engines, files
    /// and the writer; Cancelled
    [[nodiscard]] std::vector<ProfilePage> run(const Writer& write, const JobControl& control = {});

    [[nodiscard]] const ChunkCounts& report() const noexcept { return report_; }
    [[nodiscard]] std::string engine() const { return sweep_.engine(); }

private:
    [[nodiscard]] std::uint64_t rows() const noexcept { return decision_.grid.down() * decision_.grid.deep(); }
    [[nodiscard]] std::uint64_t fileOf(std::uint64_t row, std::size_t page) const noexcept;
    [[nodiscard]] std::uint32_t rankOf(double value) const noexcept;
    void down(const JobControl& control);
    void applyRow(std::uint64_t row, const Writer& write, const JobControl& control);
    void applyChunk(const LoadedChunk& chunk, const std::vector<PartResults>& open, const Writer& write,
                    const JobControl& control);
    [[nodiscard]] PartResults resultsOf(const ChunkTree& chunk, const std::vector<std::uint32_t>& rank,
                                        const PartResults& open, std::size_t page);

    PartJob decision_; ///< with the rule
    ProfileSpec spec_;
    std::vector<double> bounds_; ///< thresholds as numbers of the column
    ClosedSweep sweep_;
    const WorkFolder& folder_;
    std::uint64_t memory_;
    std::vector<ProfilePage> pages_;
    ChunkCounts report_;
};

/// Facts about a profile of an image in a file.
struct ImageProfileReport : ChunkReport {
    std::vector<ProfilePage> pages;
};

/// Writes the profile of an image of any size, see ChunkedProfile, as a tiled TIFF with a page per threshold, each with
/// reduced versions, see writeTiledTiff(). Pixels equal the result of AttributeProfile on the whole image. The target
/// appears when it is complete; the working folder is removed at the end and after a failure.
/// @param request without a filter; it cannot be resumed
/// @param tags of each page
/// @throws as ImageChunks, ChunkedProfile and writeTiledTiff(); Cancelled
[[nodiscard]] ImageProfileReport profileOfImage(const ChunkRequest& request, const ProfileSpec& spec,
                                                const std::vector<std::vector<CopiedTag>>& tags,
                                                const JobControl& control = {});

} // namespace pollard
