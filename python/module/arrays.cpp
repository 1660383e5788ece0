#include "arrays.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "io/metadata/stated_size.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>

namespace pollard::python {

namespace {

[[noreturn]] void refuse(std::string_view what, const std::string& problem) {
    throw Error(ErrorCode::invalidArgument, std::string(what) + ": " + problem);
}

void requireContiguous(const py::array& array, std::string_view what) {
    if ((array.flags() & py::array::c_style) == 0) {
        refuse(what, "the array is not contiguous in C order");
    }
}

/// Deleter of an image over the memory of an array.
struct Keeper {
    py::array array;
    void operator()(Image* image) {
        delete image;
        const py::gil_scoped_acquire held; // the last owner may be a thread of the engine
        array.release().dec_ref();
    }
};

/// Booleans of NumPy that other code wrote may be any byte.
constexpr bool isSet(std::uint8_t flag) noexcept { return flag != 0; }

bool isBoolean(const py::array& array) { return array.dtype().kind() == 'b'; }

} // namespace

Shape shapeOf(const py::array& array) { return {array.shape(), array.shape() + array.ndim()}; }

Extent extentOf(const Shape& shape, std::string_view what) {
    if (shape.size() != 2 && shape.size() != 3) {
        refuse(what, "the array has " + std::to_string(shape.size()) + " axes; pictures have 2, volumes 3");
    }
    std::uint64_t pixels = 1;
    for (const py::ssize_t side : shape) {
        if (side <= 0) {
            refuse(what, "has no pixels");
        }
        if (static_cast<std::uint64_t>(side) > Image::kMaxPixels / pixels) {
            throw Error(ErrorCode::limitExceeded,
                        std::string(what) + ": more than " + std::to_string(Image::kMaxPixels) + " pixels");
        }
        pixels *= static_cast<std::uint64_t>(side);
    }
    const auto side = [&](std::size_t fromEnd) { return static_cast<std::uint32_t>(shape[shape.size() - fromEnd]); };
    return {side(1), side(2), shape.size() == 3 ? side(3) : 1};
}

PixelSize sizeOfArray(const std::array<double, 3>& sides, const std::string& unit) {
    const std::optional<std::string_view> known = statedUnit(unit);
    if (!known) {
        throw Error(ErrorCode::invalidArgument, "unit: '" + unit + "': unknown (there are nm, um, mm, cm, m, km)");
    }
    const auto [z, y, x] = sides;
    return {x, y, std::string(*known), "spacing", false, z};
}

Connectivity neighboursIn(std::size_t axes, const Extent& extent, int connectivity) {
    constexpr std::array kPictures{Connectivity::four, Connectivity::eight};
    constexpr std::array kVolumes{Connectivity::six, Connectivity::eighteen, Connectivity::twentySix};
    if (connectivity < 1 || static_cast<std::size_t>(connectivity) > axes) {
        throw Error(ErrorCode::invalidArgument, "connectivity: " + std::to_string(connectivity) + ": is 1 to " +
                                                    std::to_string(axes) + " in an array of " + std::to_string(axes) +
                                                    " axes");
    }
    const auto at = static_cast<std::size_t>(connectivity - 1);
    return axes == 2 ? kPictures.at(at) : connectivityIn(extent, kVolumes.at(at));
}

std::shared_ptr<Image> imageOf(const py::array& levels, std::string_view what) {
    const Extent extent = extentOf(shapeOf(levels), what);
    requireContiguous(levels, what);
    const bool bytes = levels.dtype().equal(py::dtype::of<std::uint8_t>());
    if (!bytes && !levels.dtype().equal(py::dtype::of<std::uint16_t>())) {
        refuse(what, "the values are " + std::string(py::str(levels.dtype())) + ", not uint8 or uint16");
    }
    const PixelType type = bytes ? PixelType::u8 : PixelType::u16;
    // Images are const where the engines read them, so that read-only arrays stay as they are. pybind11 before 2.12
    // does not know the size of a value in NumPy 2, and so no nbytes().
    const std::span<std::byte> memory(static_cast<std::byte*>(const_cast<void*>(levels.data())),
                                      extent.pixelCount() * bytesOf(type));
    if ((levels.flags() & py::detail::npy_api::NPY_ARRAY_ALIGNED_) == 0) {
        auto copy = std::make_shared<Image>(type, extent);
        std::copy(memory.begin(), memory.end(), copy->data());
        return copy;
    }
    auto image = std::make_unique<Image>(type, extent, Buffer<std::byte>::over(memory));
    const Keeper keeper{levels};
    return {image.release(), keeper};
}

std::shared_ptr<const Mask> maskOf(const py::array& flags, std::string_view what) {
    const Extent extent = extentOf(shapeOf(flags), what);
    requireContiguous(flags, what);
    if (!isBoolean(flags)) {
        refuse(what, "the values are " + std::string(py::str(flags.dtype())) + ", not bool");
    }
    if (extent.rows() > std::numeric_limits<std::uint32_t>::max()) {
        throw Error(ErrorCode::limitExceeded, std::string(what) + ": " + std::to_string(extent.rows()) + " rows");
    }
    auto mask = std::make_shared<Mask>(extent.width, static_cast<std::uint32_t>(extent.rows()), false);
    const auto* row = static_cast<const std::uint8_t*>(flags.data());
    for (std::uint32_t y = 0; y < mask->height(); ++y, row += extent.width) {
        for (std::uint32_t x = 0; x < extent.width;) {
            const std::uint8_t* const end = row + extent.width;
            const std::uint8_t* const set = std::find_if(row + x, end, isSet);
            const std::uint8_t* const unset = std::find_if_not(set, end, isSet);
            mask->setRun(static_cast<std::uint32_t>(set - row), static_cast<std::uint32_t>(unset - row), y, true);
            x = static_cast<std::uint32_t>(unset - row);
        }
    }
    return mask;
}

Buffer<std::uint8_t> flagsOf(const py::array& flags, std::size_t count, std::string_view what) {
    if (!isBoolean(flags) || flags.ndim() != 1 || static_cast<std::size_t>(flags.size()) != count) {
        refuse(what, "needs a boolean array with a value for each of the " + std::to_string(count) + " nodes");
    }
    requireContiguous(flags, what);
    Buffer<std::uint8_t> copy(count);
    const auto* source = static_cast<const std::uint8_t*>(flags.data());
    std::transform(source, source + count, copy.begin(), [](std::uint8_t flag) { return isSet(flag) ? 1 : 0; });
    return copy;
}

py::array arrayOf(std::shared_ptr<Image> image, const Shape& shape) {
    return dispatch(image->type(), [&]<class Pixel>(Pixel) -> py::array {
        Pixel* pixels = image->pixels<Pixel>().data();
        return arrayOver(pixels, shape, std::move(image));
    });
}

} // namespace pollard::python
