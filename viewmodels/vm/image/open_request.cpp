#include "vm/image/open_request.hpp"

#include "io/channels.hpp"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

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

} // namespace pollard::vm
