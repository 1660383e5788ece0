#pragma once

#include "base/job_control.hpp"
#include "chunks/chunk_trees.hpp"
#include "chunks/image_chunks.hpp"
#include "components/components.hpp"
#include "components/objects/object_rule.hpp"
#include "components/threshold.hpp"
#include "io/image_file.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace pollard {

/// Request to find the objects of a threshold in an image, in bands of rows.
struct ObjectJob {
    Extent extent;              ///< an image, not a volume
    std::uint32_t bandRows = 1; ///< rows of a band
    std::uint16_t low = 1;      ///< levels of the foreground
    std::uint16_t high = 0xffff;
    Connectivity connectivity = Connectivity::four;
    std::uint64_t memory = 0; ///< bytes that records of objects may take
};

/// Finds the objects of an image larger than memory, equal to labelComponents(): each band is labelled and measured
/// apart, and objects with touching pixels in the last row of a band and the first row of the next are joined.
class ObjectsInBands {
public:
    /// Receives the labels of a band of full rows.
    using Writer = std::function<void(std::uint32_t top, std::span<const std::uint32_t> labels)>;

    /// @param reader of boxes of the image
    ObjectsInBands(const ObjectJob& job, ChunkReader reader);

    /// Reads the image once. @return the objects without labels; only once
    /// @throws Error(limitExceeded) for 2^32 - 1 parts of objects or more, or for an object whose sums of squares may
    /// not fit 64 bits; Error(outOfMemory) for more records than allowed; exceptions of the reader; Cancelled
    [[nodiscard]] Components find(const JobControl& control = {});

    /// Reads the image again and makes its labels, after find(). @throws exceptions of the reader and the writer;
    /// Cancelled
    void label(const Writer& write, const JobControl& control = {});

private:
    /// Run of foreground in a row, and its object.
    struct LabelledRun {
        std::uint32_t first, last;
        std::uint32_t object;
    };

    [[nodiscard]] Components bandAt(std::uint32_t top, bool measures, const JobControl& control) const;
    void add(const Components& band, std::uint32_t top);
    void joinSeam(std::span<const LabelledRun> above, std::span<const LabelledRun> below);
    void join(const LabelledRun& above, const LabelledRun& below);
    [[nodiscard]] std::uint32_t find(std::uint32_t object) noexcept;
    void finish();
    template <class Visit> void forEachBand(const JobControl& control, const char* stage, Visit&& visit) const;

    ObjectJob job_;
    ChunkReader reader_;
    std::vector<std::uint32_t> starts_;  ///< per band the number of parts of objects before it
    std::vector<std::uint32_t> parents_; ///< per part of an object: the part with the first pixel; then the label
    ComponentRecords records_;           ///< per part of an object; complete for the first ones
    std::vector<LabelledRun> lastRow_;   ///< of the band before
    Components found_;
};

/// Values of objects: given bounds, or levels from a threshold on that a method finds.
struct ObjectValues {
    std::optional<ThresholdMethod> method; ///< finds the level in the histogram of the whole image
    ValueBounds values = {};               ///< unless a method is set
};

struct ImageObjectsReport {
    Components components; ///< without labels
    LevelRange levels;     ///< given or found
    ImageInfo info;        ///< of the image
    PixelType type = PixelType::u8;
    Extent extent;
    std::uint32_t bandRows = 0;
    int readings = 0; ///< how often the pixels of the image were read
};

/// Finds the objects of an image of any size, see ObjectsInBands, on the CPU, and writes their labels as a tiled TIFF
/// of 32 bits with reduced versions if the request has a target. The target appears when it is complete; the working
/// folder for it is removed at the end and after a failure.
/// @param request without tree, filter and chunk
/// @throws Error(invalidArgument) with boundsProblem(); exceptions of openRegions(), automaticThreshold(),
/// ObjectsInBands and writeTiledTiff(); Cancelled
[[nodiscard]] ImageObjectsReport objectsOfImage(const ChunkRequest& request, const ObjectValues& values,
                                                const JobControl& control = {});

} // namespace pollard
