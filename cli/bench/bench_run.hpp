#pragma once

#include "base/job_control.hpp"
#include "bench/bench_images.hpp"
#include "command.hpp"
#include "engine/engine.hpp"
#include "image/image.hpp"
#include "jobs/tree_job.hpp"
#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace pollard::cli {

/// Options of `bench` as typed.
struct BenchOptions {
    std::vector<std::string> images;
    std::string channel = "luminance";
    std::string bits = "8,16";
    std::string algorithms;
    bool volume = false; ///< files are volumes
    std::optional<std::string> connectivities;
    std::string grids = "auto";
    std::string sizes = "2048x2048";
    int repeat = 5;
    int stream = 0;          ///< images per stream; 0 = no streams
    bool attributes = false; ///< time every attribute
    bool components = false; ///< time labelling instead of trees
    bool snake = false;      ///< time region snakes instead of trees
    std::uint32_t apart = 0; ///< discs per row and column, each with its own contour; 0: one disc
    std::uint32_t maxStep = 0;
    std::uint32_t minLength = 8;
    std::string granularities = "1,4,16";
    std::string densities = "10,30,50,70,90";
    TreeOptions tree; ///< connectivity, algorithm and grid are unused
    std::string csvFile;
    std::string reportFile;
    std::string fromCsv; ///< table to read instead of measuring

    void declare(CLI::App& command);
    /// Whether --algorithms names an algorithm, or none.
    [[nodiscard]] bool names(const AlgorithmInfo& algorithm) const;
    /// Whether an algorithm is for a job, and for volumes if these are timed.
    [[nodiscard]] bool fits(const AlgorithmInfo& algorithm, std::string_view job) const {
        return algorithm.job == job && (!volume || algorithm.takesVolumes);
    }
    /// The connectivities asked for; 4, or 6 of volumes, without any.
    [[nodiscard]] std::string neighbours() const { return connectivities.value_or(volume ? "6" : "4"); }
};

/// Size of a generated image, px.
struct ImageSize {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
};

/// Parse comma-separated lists; repeated values count once, except sizes.
/// @throws UsageError for an unknown value or an empty list
[[nodiscard]] std::vector<PixelType> parseBits(const std::string& text);
/// @param isVolume of which images
[[nodiscard]] std::vector<Connectivity> parseConnectivities(const std::string& text, bool isVolume = false);
[[nodiscard]] std::vector<GridSimplification> parseGrids(const std::string& text);
[[nodiscard]] std::vector<ImageSize> parseSizes(const std::string& text);

/// A subject to measure, at its original depth.
struct BenchSubject {
    std::string name;
    std::shared_ptr<const Image> image; ///< null for a generated image
    bool luminance = false;             ///< whether image is the luminance of a colour image
    TestImage generated = TestImage::noise;
    ImageSize size; ///< of the generated image
};

/// A subject at one of the measured depths.
struct BenchImage {
    std::shared_ptr<const Image> image;
    std::string conversion; ///< "none", "high byte", "value * 257", "luminance" or "high byte of luminance"
};

/// 16-bit luminance of 8-bit colours: 257 (0.2126 R + 0.7152 G + 0.0722 B), rounded half up, which keeps the fraction
/// that 8 bits lose. The images have one size and type PixelType::u8.
[[nodiscard]] std::shared_ptr<const Image> wideLuminance(const Image& red, const Image& green, const Image& blue);

/// Reads the images of the options; without any, describes the generated ones.
/// @throws UsageError, Error, Cancelled
[[nodiscard]] std::vector<BenchSubject> loadSubjects(const BenchOptions& options, const Context& context,
                                                     ProgressLine& progress);

/// Converts a subject to a depth, or generates it. @throws Error(outOfMemory)
[[nodiscard]] BenchImage atDepth(const BenchSubject& subject, PixelType type);

/// The image rotated by 180 degrees: the same structures at other addresses, for streams.
[[nodiscard]] std::shared_ptr<const Image> turned(const Image& image);

/// Median time of one stage of one algorithm on one image.
struct BenchRow {
    std::string image = {}; ///< as named on the command line
    int bits = 0;
    std::string conversion = "none"; ///< conversion from the file's levels, see BenchImage
    std::size_t pixels = 0;
    std::string algorithm = {};
    Connectivity connectivity = Connectivity::four;
    GridSimplification grid = GridSimplification::automatic;
    std::string engine = {};
    std::uint32_t nodes = 0;
    StageTime stage = {};
    std::optional<double> framesPerSecond = std::nullopt; ///< for a stream of images
    std::optional<double> dice = std::nullopt;            ///< of contour and object: 2 |A and B| / (|A| + |B|)

    [[nodiscard]] double megapixelsPerSecond() const { return static_cast<double>(pixels) / 1000 / stage.milliseconds; }
};

/// Adds the row with each of the stages.
inline void addRows(std::vector<BenchRow>& rows, BenchRow row, const std::vector<StageTime>& stages) {
    for (const StageTime& stage : stages) {
        row.stage = stage;
        rows.push_back(row);
    }
}

/// [{image, bits, conversion, pixels, nodes, algorithm, connectivity, grid, engine, stage, ms, mpix_per_s,
/// frames_per_second, dice}, ...]; frames_per_second is null except for streams, dice except for contours.
[[nodiscard]] Json benchJson(const std::vector<BenchRow>& rows);

/// Writes the fields of benchJson() as CSV, atomically.
/// @throws Error(writeFailed)
void writeBenchCsv(const std::filesystem::path& file, const std::vector<BenchRow>& rows);

/// The rows of a table that writeBenchCsv() wrote.
/// @throws Error(fileUnreadable); Error(fileDamaged) with the line that is wrong
[[nodiscard]] std::vector<BenchRow> readBenchCsv(const std::filesystem::path& file);

/// Writes an HTML page with charts (speed of the build, steps from the pixels to the result, stages of the build,
/// attributes) and the table of the rows, atomically. Each chart is one <svg> element with its colours.
/// @param notes paragraphs above the charts: how and with what the times were measured
/// @throws Error(writeFailed)
void writeBenchReport(const std::filesystem::path& file, const std::vector<BenchRow>& rows,
                      const std::vector<std::string>& notes);

/// Prints an aligned table, with a block of lines per image, depth and algorithm, and how depths were converted.
void printBenchTable(std::ostream& out, const std::vector<BenchRow>& rows);

/// Median times of one algorithm on one image. Stages have the engine's own times (on a GPU from device events); names
/// ending in "/wall" are wall times of whole steps in this process.
struct BenchRun {
    /// Stages that exist, in this order:
    /// "upload", "upload/wall"              copy to the device, and its whole step
    /// "build/STAGE", "build", "build/wall"
    /// "parents/STAGE"                      of a parent image alone, if trees are built without one
    /// "kernels", "parents"                 the stages up to "flatten", the parent image alone: on a device with its
    ///                                      own memory, on the host
    /// "attribute/area", "attribute/wall"
    /// "filter/STAGE", "filter", "filter/wall"
    /// "download"                           all copies to the host, also included in the steps' wall times
    /// "attribute/NAME", "attributes"       on request, all except area in the order of allAttributes(), including
    ///                                      intermediate results on first use; and their sum with area
    /// "total", "total/wall"                build + attribute + filter, and everything from the upload on
    std::vector<StageTime> stages;
    TreeReport tree; ///< of the last repetition
};

/// Opens @p image, builds its tree, computes area, and filters by area >= 100 (direct), once to warm up and then
/// @p repeat times; times are medians over the repetitions.
/// @param attributes whether to time every attribute
/// @throws Error, also if an algorithm other than the requested one was used; Cancelled
[[nodiscard]] BenchRun benchTree(Session& session, const TreeSpec& spec, const std::shared_ptr<const Image>& image,
                                 int repeat, bool attributes, const JobControl& control);

/// Median wall time per image in ms for a stream of @p count images, after a short warm-up stream.
/// @throws Error, Cancelled
[[nodiscard]] double benchStream(Engine& engine, const TreeSpec& spec, const std::shared_ptr<const Image>& image,
                                 int count, int repeat, const SessionOptions& options, const JobControl& control);

/// Times all labelling algorithms of the engines selected by --engine on masks of the images or volumes (Otsu's
/// threshold) or of random squares. Variants: "labels/...", label image only; "shape/...", with measurements;
/// "grey/...", also with grey levels (16 bits). On a GPU each stage by name, "kernels", their sum without copies and
/// memory allocation, and "wall", with both; on the CPU only "wall". With --stream N, N frames are thresholded,
/// labelled and measured with grey levels, one at a time ("-1") and up to three ("-3"): "stream-records", and with the
/// label image "stream-labels"; for each "frame", the total wall time divided by N, and of the latencies the median
/// ("latency"), "p95" and "longest". The nodes of a row are objects.
/// @throws UsageError, Error, Cancelled
[[nodiscard]] std::vector<BenchRow> benchComponents(const BenchOptions& options, const Context& context,
                                                    ProgressLine& progress);

/// Times region snakes on the disc of makeDisc(), from a rectangle with a margin of an eighth of the image, for every
/// algorithm of every usable engine: "sums/wall", the prefix sums; "evolution/wall", from start to end; on a device
/// preceded by "upload/wall". A row has the nodes of the final contour and its Dice coefficient with the disc. With
/// --apart, N x N discs and as many independent contours, for the algorithms that support them; nodes and Dice then
/// refer to all.
/// @throws UsageError, Error, Cancelled
[[nodiscard]] std::vector<BenchRow> benchSnake(const BenchOptions& options, const Context& context,
                                               ProgressLine& progress);

} // namespace pollard::cli
