#include "vm/labels/label_gesture.hpp"

#include "base/error.hpp"
#include "components/changed_objects.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace pollard::vm {

namespace {

struct GestureTexts {
    Q_DECLARE_TR_FUNCTIONS(LabelGesture)
};

[[noreturn]] void refuse(const QString& why) { throw Error(ErrorCode::invalidArgument, why.toStdString()); }

std::optional<Voxel> voxelAtPoint(const EditedLabels& image, const RegionPoint& at, std::uint32_t slice) {
    const bool inside = at.x >= 0 && at.y >= 0 && at.x < image.extent.width && at.y < image.extent.height &&
                        slice < image.extent.slices;
    return inside ? std::optional(Voxel{static_cast<std::uint32_t>(at.x), static_cast<std::uint32_t>(at.y), slice})
                  : std::nullopt;
}

std::uint32_t labelAtPoint(const EditedLabels& image, const RegionPoint& at, std::uint32_t slice) {
    const auto voxel = voxelAtPoint(image, at, slice);
    return voxel ? image.labels[(std::size_t{slice} * image.extent.height + voxel->y) * image.extent.width + voxel->x]
                 : 0;
}

/// Pixels of each object in spans.
std::map<std::uint32_t, std::size_t> objectsIn(const EditedLabels& image, const PixelSpans& spans) {
    std::map<std::uint32_t, std::size_t> pixels;
    for (const PixelSpan& span : spans) {
        for (std::size_t at = span.first; at < span.last; ++at) {
            if (const std::uint32_t label = image.labels[at]; label != 0) {
                ++pixels[label];
            }
        }
    }
    return pixels;
}

bool hasPixels(const Components& objects, std::uint32_t label) {
    return label != 0 && label <= objects.count && objects.objects[label - 1].area != 0;
}

/// Gives the objects another number.
LabelEdit replaced(const EditedLabels& image, const Components& objects, const std::vector<std::uint32_t>& labels,
                   std::uint32_t to, const JobControl& control) {
    std::vector<std::uint8_t> chosen(objects.count, 0);
    std::optional<LabelBox> box;
    for (const std::uint32_t label : labels) {
        if (hasPixels(objects, label)) {
            chosen[label - 1] = 1;
            const LabelBox own = boxOf(objects, label);
            box = box.value_or(own);
            box->add(own);
        }
    }
    return box ? replaceLabels(image, chosen, to, *box, control) : LabelEdit(image.extent, image.count);
}

LabelEdit painted(const LabelGesture& gesture, const EditedLabels& image) {
    const std::uint32_t below = labelAtPoint(image, gesture.points.front(), gesture.tip.slice);
    return paintLabel(image, strokeSpans(image.extent, gesture.points, gesture.tip),
                      below != 0 ? below : image.count + 1,
                      gesture.over ? PaintOver::everything : PaintOver::background);
}

LabelEdit filled(const LabelGesture& gesture, const EditedLabels& image, const JobControl& control) {
    const auto at = voxelAtPoint(image, gesture.points.front(), gesture.tip.slice);
    if (!at || labelAtPoint(image, gesture.points.front(), gesture.tip.slice) != 0) {
        refuse(GestureTexts::tr("Click into a hole of an object"));
    }
    const LabelRegion hole = regionAt(image, *at, control);
    if (hole.pixels.empty() || hole.around == 0) {
        refuse(GestureTexts::tr("The background here reaches the border of the image, so it is no hole"));
    }
    return paintLabel(image, hole.pixels, hole.around);
}

LabelEdit merged(const LabelGesture& gesture, const EditedLabels& image, const Components& objects,
                 const JobControl& control) {
    BrushTip line;
    line.slice = gesture.tip.slice;
    const auto crossed = objectsIn(image, strokeSpans(image.extent, gesture.points, line));
    const std::uint32_t first = labelAtPoint(image, gesture.points.front(), gesture.tip.slice);
    if (first == 0 || crossed.size() < 2) {
        refuse(GestureTexts::tr("Draw from one object to another to join them"));
    }
    std::vector<std::uint32_t> others;
    for (const auto& [label, pixels] : crossed) {
        if (label != first) {
            others.push_back(label);
        }
    }
    return replaced(image, objects, others, first, control);
}

LabelEdit cutAlong(const LabelGesture& gesture, const EditedLabels& image, const Components& objects,
                   const JobControl& control) {
    constexpr double kSealing = 0.75; // a line without gaps for objects whose pixels touch at corners
    BrushTip knife;
    knife.radius = objects.connectivity == Connectivity::four || objects.connectivity == Connectivity::six
                       ? BrushTip::kLeast
                       : kSealing;
    knife.slice = gesture.tip.slice;
    const PixelSpans line = strokeSpans(image.extent, gesture.points, knife);
    const auto crossed = objectsIn(image, line);
    const auto most = std::ranges::max_element(crossed, {}, [](const auto& entry) { return entry.second; });
    if (most == crossed.end()) {
        refuse(GestureTexts::tr("Draw a line across an object to divide it"));
    }
    const LabelBox box = boxOf(objects, most->first);
    LabelEdit edit = cutLabel(image, most->first, throughSlices(image.extent, line, box.first.z, box.last.z), box,
                              knife.radius > BrushTip::kLeast, control);
    if (edit.isEmpty()) {
        refuse(GestureTexts::tr("The line does not divide the object: draw it from one side to the other"));
    }
    return edit;
}

} // namespace

LabelEdits::Kind kindOf(LabelTool tool) noexcept {
    switch (tool) {
    case LabelTool::eraser:
        return LabelEdits::Kind::erase;
    case LabelTool::fill:
        return LabelEdits::Kind::fill;
    case LabelTool::polygon:
        return LabelEdits::Kind::polygon;
    case LabelTool::merge:
        return LabelEdits::Kind::merge;
    case LabelTool::cut:
        return LabelEdits::Kind::cut;
    case LabelTool::take:
        return LabelEdits::Kind::take;
    case LabelTool::none:
    case LabelTool::brush:
        break;
    }
    return LabelEdits::Kind::paint;
}

LabelWork::Edit editOf(const LabelGesture& gesture) {
    return [gesture](const EditedLabels& image, const Components& objects, const JobControl& control) {
        if (gesture.points.empty()) {
            return LabelEdit(image.extent, image.count);
        }
        switch (gesture.tool) {
        case LabelTool::brush:
            return painted(gesture, image);
        case LabelTool::eraser:
            return paintLabel(image, strokeSpans(image.extent, gesture.points, gesture.tip), 0);
        case LabelTool::fill:
            return filled(gesture, image, control);
        case LabelTool::polygon:
            return paintLabel(image, polygonSpans(image.extent, gesture.points, gesture.tip.slice), image.count + 1,
                              gesture.over ? PaintOver::everything : PaintOver::background);
        case LabelTool::merge:
            return merged(gesture, image, objects, control);
        case LabelTool::cut:
            return cutAlong(gesture, image, objects, control);
        case LabelTool::none:
        case LabelTool::take:
            break;
        }
        return LabelEdit(image.extent, image.count);
    };
}

LabelWork::Edit removalEdit(std::vector<std::uint32_t> labels) {
    return
        [labels = std::move(labels)](const EditedLabels& image, const Components& objects, const JobControl& control) {
            return replaced(image, objects, labels, 0, control);
        };
}

LabelWork::Edit renumberEdit(std::uint32_t label, std::uint32_t number, bool join) {
    return [=](const EditedLabels& image, const Components& objects, const JobControl& control) {
        const std::uint32_t known = objects.labelOf(number);
        if (known == label) {
            return LabelEdit(image.extent, image.count);
        }
        if (!join && hasPixels(objects, known)) {
            refuse(GestureTexts::tr("Another object has the number %1").arg(number));
        }
        const std::uint32_t to = known != 0 ? known : image.count + 1;
        LabelEdit edit = replaced(image, objects, {label}, to, control);
        edit.setMove({label, to, known != 0 ? 0 : number});
        return edit;
    };
}

LabelWork::Edit takeEdit(std::shared_ptr<const ComponentTree> tree, std::uint32_t node) {
    return [tree = std::move(tree), node](const EditedLabels& image, const Components&, const JobControl& control) {
        const Buffer<std::uint32_t>& nodes = tree->pixelNode;
        if (nodes.size() != image.labels.size() || node >= tree->nodeCount()) {
            refuse(GestureTexts::tr("The component is of another image"));
        }
        const std::uint32_t end = tree->subtreeEnd[node];
        PixelSpans pixels;
        for (std::size_t row = 0; row < nodes.size(); row += image.extent.width) {
            control.throwIfStopped();
            for (std::size_t at = row; at < row + image.extent.width; ++at) {
                if (nodes[at] < node || nodes[at] >= end) {
                    continue;
                }
                if (pixels.empty() || pixels.back().last != at || at == row) {
                    pixels.push_back({at, at});
                }
                ++pixels.back().last;
            }
        }
        return paintLabel(image, pixels, image.count + 1);
    };
}

} // namespace pollard::vm
