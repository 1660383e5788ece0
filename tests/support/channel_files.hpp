#pragma once

#include "formats/tiff/tiff_writer.hpp"
#include "io/image_file.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace pollard::test {

/// Writes an OME-TIFF whose pages are channels of 16 bits. @param level of a channel at (x, y)
inline void writeChannelPages(const std::filesystem::path& path, const std::vector<Channel>& channels,
                              std::uint32_t width, std::uint32_t height,
                              const std::function<int(int channel, std::uint32_t x, std::uint32_t y)>& level) {
    SceneDescription scene;
    StackAxis axis{'c', static_cast<int>(channels.size()), {}};
    for (const Channel& channel : channels) {
        axis.labels.push_back(channel.name);
    }
    scene.axes = {axis};
    scene.channels = channels;
    const auto page = [&](int channel, const JobControl&) {
        auto image = std::make_shared<Image>(PixelType::u16, width, height);
        for (std::uint32_t y = 0; y < height; ++y) {
            for (std::uint32_t x = 0; x < width; ++x) {
                image->pixels<std::uint16_t>()[std::size_t{y} * width + x] =
                    static_cast<std::uint16_t>(level(channel, x, y));
            }
        }
        return Plane{ownedRows(std::move(image)), {.scene = scene}};
    };
    writeTiff(path, {static_cast<int>(channels.size()), page},
              {.compression = TiffCompression::none, .arePages = true});
}

/// Writes an OME-TIFF of 16 bits whose pages lie on axes, the first of which varies fastest.
/// @param level of a page, by its position on each axis, at (x, y)
inline void writeStack(const std::filesystem::path& path, const std::vector<StackAxis>& axes, std::uint32_t width,
                       std::uint32_t height,
                       const std::function<int(const std::vector<int>& at, std::uint32_t x, std::uint32_t y)>& level) {
    SceneDescription scene;
    scene.axes = axes;
    int pages = 1;
    for (const StackAxis& axis : axes) {
        pages *= axis.count;
    }
    const auto page = [&](int number, const JobControl&) {
        std::vector<int> at;
        for (const StackAxis& axis : axes) {
            at.push_back(number % axis.count);
            number /= axis.count;
        }
        auto image = std::make_shared<Image>(PixelType::u16, width, height);
        for (std::uint32_t y = 0; y < height; ++y) {
            for (std::uint32_t x = 0; x < width; ++x) {
                image->pixels<std::uint16_t>()[std::size_t{y} * width + x] =
                    static_cast<std::uint16_t>(level(at, x, y));
            }
        }
        return Plane{ownedRows(std::move(image)), {.scene = scene}};
    };
    writeTiff(path, {pages, page}, {.compression = TiffCompression::none, .arePages = true});
}

/// A channel with a name and perhaps the wavelength of its emission, nm.
inline Channel makeChannel(const char* name, double wavelength = 0) {
    Channel channel;
    channel.name = name;
    channel.wavelength = wavelength;
    return channel;
}

} // namespace pollard::test
