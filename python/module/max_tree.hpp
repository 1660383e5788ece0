#pragma once

#include "arrays.hpp"

#include "analysis/bins.hpp"
#include "attributes/attribute.hpp"
#include "base/error.hpp"
#include "engine/engine.hpp"
#include "filter/filter_spec.hpp"
#include "image/image.hpp"
#include "image/length_unit.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"
#include "tree/component_tree.hpp"

#include <pybind11/pybind11.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pollard::python {

/// A mutex that stores the process of the thread that holds it, because a forked process inherits a locked mutex
/// without the thread that would unlock it.
class ProcessMutex {
public:
    /// @throws Error(engineUnavailable) in a process that was forked while another thread held the mutex
    void lock() {
        const pid_t process = getpid();
        for (pid_t holder = 0; !holder_.compare_exchange_strong(holder, process); holder = 0) {
            if (holder != process) {
                throw Error(ErrorCode::engineUnavailable,
                            "tree: another thread used it when this process was forked; build it again here, or start "
                            "processes with 'spawn' or 'forkserver'");
            }
            holder_.wait(holder);
        }
    }
    void unlock() noexcept {
        holder_.store(0);
        holder_.notify_one();
    }

private:
    std::atomic<pid_t> holder_{0}; ///< 0: nothing holds it
};

/// How to build a tree.
struct TreeArguments {
    TreeKind kind = TreeKind::max;
    int connectivity = 1; ///< as scikit-image's: the largest number of steps along axes to a neighbour
    std::string device;   ///< "auto", "cpu", "cuda"
    int threads = 0;      ///< 0 = all
    std::optional<ValueMapping> mapping = {}; ///< of the levels; unset if levels are values
    VoxelSides sides;
    std::optional<PixelSize> size = {}; ///< in the unit of results; unset: px
};

/// A filter given by texts.
struct FilterArguments {
    std::vector<std::string> criteria;
    std::string match;
    std::string rule;
    std::string output;
    std::string prominent;                             ///< empty: none
    std::vector<std::vector<std::string>> forest = {}; ///< questions of each decision tree, see parseQuestion()
};

/// The filter of these texts, with bounds as they are written.
/// @param hasSize whether pixels have a size in a unit
/// @throws Error(invalidArgument) for texts that are not these, a unit without a size, and attributes that are not
/// measured in such an image
[[nodiscard]] FilterSpec filterOf(const FilterArguments& request, bool hasSize, bool isVolume);

/// The tree of an array of levels, with the session that built it. Calls run one after the other. Filtered images and
/// labels of an array on a GPU stay there; all other results are on the host.
class MaxTree {
public:
    /// @param mask pixels that count; nothing for all
    MaxTree(const py::array& levels, const std::optional<py::array>& mask, const TreeArguments& request);
    /// @throws Error(engineUnavailable) in a module without CUDA, Error(invalidArgument) for the device "cpu"
    MaxTree(const GpuArray& levels, const TreeArguments& request);

    /// The nodes; the first call copies them from a GPU.
    [[nodiscard]] std::shared_ptr<const ComponentTree> tree() const;
    [[nodiscard]] TreeKind kind() const noexcept { return spec_.kind; }
    [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
    [[nodiscard]] const TreeReport& report() const noexcept { return report_; }
    [[nodiscard]] const std::string& device() const noexcept { return device_; }
    [[nodiscard]] std::size_t work() const noexcept { return extent_.pixelCount(); }

    /// A column in values: whole numbers of images of integers as int64, up to 2^53.
    /// @throws Error(invalidArgument) for an unknown attribute or one that is not measured here
    [[nodiscard]] py::array attribute(const std::string& name) const;
    /// Value of 1 px of an attribute in the unit of the pixel size; 1 without a size and for attributes without a unit.
    /// @throws Error(invalidArgument) as attribute(), or if pixels have no such unit
    [[nodiscard]] double unitFactor(const std::string& name) const;
    /// Converts a value of an attribute from this unit to px. @throws as unitFactor()
    [[nodiscard]] double inPixels(const std::string& name, double value) const;
    /// An array, or a GpuArray.
    [[nodiscard]] py::object filter(const FilterArguments& request) const;
    /// Labels of the kept components, as Session::labels(), in the same place, and their number.
    [[nodiscard]] py::tuple labels(const FilterArguments& request) const;
    /// @param keep decision per node, to which the rule applies
    [[nodiscard]] py::tuple labelsOf(const py::array& keep, const std::string& rule) const;
    [[nodiscard]] py::array reconstruct(const py::array& keep, const std::string& rule) const;
    /// hMaximaLevels() as an image.
    [[nodiscard]] py::array hMaxima(std::uint16_t h) const;
    /// reconstructedLevels() as an image.
    [[nodiscard]] py::array reconstructFrom(const py::array& marker) const;
    /// Sums of a number per node over the node and its ancestors.
    template <class T> [[nodiscard]] py::array_t<T> pathSums(const py::array_t<T>& numbers) const;
    /// Spectrum in values; its mass is in values, too.
    [[nodiscard]] py::dict spectrum(const std::string& attribute, std::uint32_t bins, const std::string& scale,
                                    std::optional<double> low, std::optional<double> high) const;
    /// Pages of an attribute profile, of shape (thresholds, *shape).
    [[nodiscard]] py::array profile(const std::string& attribute, const std::vector<double>& thresholds,
                                    const std::string& rule, bool differential) const;
    /// Table and labels of maximally stable regions.
    [[nodiscard]] py::tuple mser(std::optional<std::uint16_t> delta, std::uint64_t minArea,
                                 std::optional<std::uint64_t> maxArea, double maxVariation, double minDiversity) const;
    /// Learns criteria or a forest from nodes to keep (true) and to drop, batch by batch, see CriteriaLearner and
    /// ForestLearner.
    /// @param attributes names; empty: attributesToLearn()
    /// @param anySize LearnedSize::any
    /// @param ask largest number of nodes next to a bound
    /// @return texts of criteria, margin, nodes decided wrongly, nodes next to a bound (none of a forest), questions of
    /// the forest
    [[nodiscard]] py::tuple learn(const std::vector<std::vector<std::pair<std::uint32_t, bool>>>& batches,
                                  const std::vector<std::string>& attributes, bool anySize, std::size_t ask,
                                  bool forest) const;
    /// The disjoint nodes that fit a mask best, see nodesOfMask().
    [[nodiscard]] py::array maskNodes(const py::array& flags) const;
    /// The nodes from the node of a pixel up to the root.
    [[nodiscard]] py::array chain(std::uint32_t pixel) const;
    /// Canonical parent image and order of the pixels, as scikit-image's max_tree().
    [[nodiscard]] py::tuple parentImage() const;

private:
    /// Runs @p work on the session; other calls wait.
    void use(const std::function<void(Session&, const JobControl&)>& work) const;
    [[nodiscard]] AttributeId attributeNamed(const std::string& name) const;
    /// Unset for attributes without a unit. @throws Error(invalidArgument) if pixels have no such unit
    [[nodiscard]] std::optional<PixelSize> sizeOf(AttributeId id) const;
    [[nodiscard]] py::dict spectrumInValues(AttributeId id, const BinSpec& bins) const;
    [[nodiscard]] FilterSpec specOf(const FilterArguments& request) const;
    /// An image in which the pixels of each node have the node's level.
    [[nodiscard]] std::shared_ptr<Image> paint(const ComponentTree& tree, const Buffer<std::uint16_t>& levels,
                                               const JobControl& control) const;
    /// The image on the host. @param session with the tree
    [[nodiscard]] std::shared_ptr<const Image> hostImage(Session& session, const JobControl& control) const;
    [[nodiscard]] py::tuple labelled(LabelImage image) const;

    Shape shape_;
    Extent extent_;
    PixelType type_ = PixelType::u8;
    TreeSpec spec_;
    std::optional<ValueMapping> mapping_; ///< unset if levels are values
    std::optional<PixelSize> size_;       ///< in the unit of results; unset: px
    std::shared_ptr<const Image> image_;  ///< null if it is on a GPU
    std::string device_;
    TreeReport report_;
    mutable std::shared_ptr<const ComponentTree> tree_; ///< null before the first call of tree()
    std::unique_ptr<Session> session_;
    DeviceArrays* arrays_ = nullptr; ///< of the session, if the image is on a GPU
    std::unique_ptr<ProcessMutex> using_ = std::make_unique<ProcessMutex>();
};

} // namespace pollard::python
