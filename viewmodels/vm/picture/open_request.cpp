#include "vm/picture/open_request.hpp"

#include <QCoreApplication>
#include <QStringList>

namespace pollard::vm {

QString OpenRequest::reductionText() const {
    const auto text = [](const char* source) { return QCoreApplication::translate("OpenRequest", source); };
    QStringList parts;
    if (level > 0) {
        parts << text("resolution level %1").arg(level);
    }
    if (region) {
        parts
            << text("region %1 × %2 px at %3, %4").arg(region->width).arg(region->height).arg(region->x).arg(region->y);
    }
    if (sliceRange) {
        parts << text("slices %1 to %2").arg(sliceRange->first + 1).arg(sliceRange->first + sliceRange->count);
    }
    if (shrink > 1) {
        parts << text("shrunk by %1").arg(shrink);
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
    options.shrink = shrink;
    options.raw = raw;
    options.pixelSize = pixelSize;
    options.limits = limits;
    return options;
}

bool OpenRequest::samePicture(const OpenRequest& other) const { return page == other.page && sameStack(other); }

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

} // namespace pollard::vm
