#include "vm/image/open_request.hpp"

#include "batch/input_files.hpp"
#include "io/channels.hpp"
#include "recipe/filter_stages.hpp"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStringList>

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace pollard::vm {

namespace {

QString requestText(const char* source) { return QCoreApplication::translate("OpenRequest", source); }

} // namespace

QString OpenRequest::reductionText() const {
    QStringList parts;
    if (level > 0) {
        parts << requestText("resolution level %1").arg(level);
    }
    if (region) {
        parts << requestText("region %1 × %2 px at %3, %4")
                     .arg(region->width)
                     .arg(region->height)
                     .arg(region->x)
                     .arg(region->y);
    }
    if (sliceRange) {
        parts << requestText("slices %1 to %2").arg(sliceRange->first + 1).arg(sliceRange->first + sliceRange->count);
    }
    if (shrink > 1) {
        parts << requestText("shrunk by %1").arg(shrink);
    }
    return parts.join(QStringLiteral(", "));
}

ReadOptions OpenRequest::options(const ReadLimits& limits) const {
    ReadOptions options;
    options.page = page;
    options.channel = channel;
    options.mapping = mapping;
    options.series = true;
    options.level = level;
    options.region = region;
    options.slices = sliceRange;
    options.projection = projection;
    options.shrink = shrink;
    options.raw = raw;
    options.pixelSize = pixelSize;
    options.axes = axes;
    options.limits = limits;
    return options;
}

void OpenRequest::take(const SelectedPart& part, const ImageInfo& info) {
    page = part.options.page;
    channel = part.options.channel;
    sliceRange = part.options.slices;
    projection = part.options.projection;
    slices = part.volume ? Slices::volume : Slices::pages;
    ImageInfo there = info;
    there.page = page;
    const auto stored = storedChannel(channel, there);
    if (stored && channelsOf(there)[*stored].sample == 0 && !hasColours(there)) {
        channel = {}; // as pages are opened
    }
}

bool OpenRequest::sameImage(const OpenRequest& other) const { return page == other.page && sameStack(other); }

bool OpenRequest::sameStack(const OpenRequest& other) const {
    OpenRequest here = other;
    here.page = page;
    here.pixelSize = pixelSize;
    here.mayReduce = mayReduce;
    return here == *this;
}

bool OpenRequest::sameExtent(const OpenRequest& other) const {
    OpenRequest here = other;
    here.channel = channel;
    return sameStack(here);
}

QString projectionName(Projection projection) {
    switch (projection) {
    case Projection::minimum:
        return requestText("minimum");
    case Projection::mean:
        return requestText("mean");
    case Projection::sharpest:
        return requestText("sharpest");
    case Projection::maximum:
        break;
    }
    return requestText("maximum");
}

std::vector<StackAxis> axesOf(const ImageInfo& info) {
    std::vector<StackAxis> axes = info.axes;
    int product = 1;
    for (const StackAxis& axis : axes) {
        product *= std::max(axis.count, 1);
    }
    if (product != info.pages) {
        axes = {StackAxis{'p', info.pages, {}}};
    }
    // An axis with one position offers no choice and does not change the strides.
    std::erase_if(axes, [](const StackAxis& axis) { return axis.count <= 1; });
    return axes;
}

bool hasStains(const ImageInfo& info) { return hasColours(info) && info.photometric != "CMYK"; }

std::optional<std::size_t> storedChannel(const OpenRequest& request, const ImageInfo& info) {
    return pollard::storedChannel(request.channel, info);
}

OpenRequest allChannels(const OpenRequest& request, const ImageInfo& info) {
    OpenRequest all = request;
    all.channel = {};
    all.page = channelsOf(info).front().page;
    all.pixelSize.reset();
    return all;
}

std::string channelKey(const OpenRequest& request, const ImageInfo& info) {
    if (channelsOf(info).size() < 2) {
        return {};
    }
    const auto stored = storedChannel(request, info);
    return stored ? std::to_string(*stored) : request.channel.text();
}

QString imageName(const QString& path) {
    constexpr auto kPartsOfField = 3; // row, column and field
    const std::filesystem::path file = QFileInfo(path).filesystemFilePath();
    const std::filesystem::path whole = hierarchyOf(file);
    QString name = QFileInfo(path).fileName();
    if (whole == file || path.isEmpty()) {
        return name;
    }
    const std::filesystem::path place = file.lexically_relative(whole);
    const QString root = QString::fromStdString(whole.filename().string()) + QStringLiteral(" · ");
    if (std::distance(place.begin(), place.end()) != kPartsOfField || *std::next(place.begin()) == "labels") {
        return root + QString::fromStdString(place.generic_string());
    }
    return root + QString::fromStdString(place.parent_path().generic_string()) + QStringLiteral(" · ") +
           QCoreApplication::translate("ImageName", "field %1").arg(name);
}

} // namespace pollard::vm
