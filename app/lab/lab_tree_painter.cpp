#include "lab/lab_painters.hpp"
#include "theme/theme.hpp"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <optional>

namespace pollard::app {
namespace {

using teach::Layer;

constexpr double kUsualRadius = 17; ///< largest radius with the letters of the program
constexpr double kSmallestRadius = 2.5;
constexpr double kMargin = 8;     ///< px around the drawing
constexpr double kSizesEnd = 3.4; ///< distance from the centre of a node to the end of its size, in radii

QString labText(const char* source) { return QCoreApplication::translate("Lab", source); }

/// The recording, if it belongs to the current image.
std::shared_ptr<const vm::LabRecording> recordingOf(const LabScene& scene) {
    const auto& recording = scene.recording;
    const bool fits = recording != nullptr && recording->tree.nodeOf.size() == scene.image.pixelCount();
    return fits ? recording : nullptr;
}

/// Nodes are larger in lectures, which have larger letters.
double largestRadius(const LabScene& scene) {
    const double usual = QGuiApplication::font().pointSizeF();
    return kUsualRadius * (usual > 0 ? std::max(1.0, scene.font.pointSizeF() / usual) : 1);
}

/// Whether there is space for the sizes next to the nodes.
bool hasSizes(const QRectF& area, const vm::DrawnTree& tree, double radius) {
    return radius > kUsualRadius * 0.55 &&
           (area.width() - 2 * kMargin - radius * kSizesEnd) / std::max(1U, tree.leaves) > (1 + kSizesEnd) * radius;
}

double radiusOf(const QRectF& area, const vm::DrawnTree& tree, double largest) {
    const double across = area.width() / std::max(1U, tree.leaves) * 0.42;
    const double down = area.height() / std::max(1U, tree.rows) * 0.34;
    return std::clamp(std::min(across, down), kSmallestRadius, largest);
}

/// Current target of the link of a node.
struct Link {
    std::uint32_t target = 0;
    bool isFinal = false;
};

std::optional<Link> linkOf(const vm::DrawnTree& tree, const std::vector<std::int64_t>& parents, std::uint32_t node) {
    const std::uint32_t canonical = tree.nodes[node].canonical;
    if (canonical >= parents.size()) {
        return Link{tree.nodes[node].parent, true}; // the algorithm starts from a complete tree
    }
    const std::int64_t parent = parents[canonical];
    if (parent < 0 || static_cast<std::size_t>(parent) >= tree.nodeOf.size()) {
        return std::nullopt;
    }
    const std::uint32_t target = tree.nodeOf[static_cast<std::size_t>(parent)];
    return Link{target, target == tree.nodes[node].parent};
}

/// Draws a link horizontally, then vertically, so that it crosses no other node.
void paintLink(QPainter& painter, QPointF parent, QPointF child) {
    const QPointF corner(child.x(), parent.y());
    painter.drawPolyline(QPolygonF{parent, corner, child});
}

struct NodeLook {
    QPointF place;
    double radius;
    bool there;
    bool isNew;
    bool sized;
    std::int64_t kept;
};

void paintNode(QPainter& painter, const LabScene& scene, const vm::DrawnTree::Node& node, const NodeLook& look) {
    const auto [least, most] = std::ranges::minmax_element(scene.image.levels);
    const QColor grey = cellColour(node.level, *least, *most);
    const QColor ground = scene.palette.color(QPalette::Base);
    const double r = look.radius;
    QColor rim = look.there ? scene.palette.color(QPalette::Text) : hairline(scene.palette);
    double thick = std::max(1.0, r * 0.1);
    if (look.isNew) {
        rim = markColour(teach::Mark::active, scene.palette);
        thick *= 2.5;
    }
    painter.setPen(QPen(rim, thick, look.there ? Qt::SolidLine : Qt::DotLine));
    painter.setBrush(look.there ? grey : ground);
    painter.drawEllipse(look.place, r, r);
    if (look.there) {
        paintFitting(painter, QRectF(look.place.x() - r * 0.8, look.place.y() - r * 0.6, r * 1.6, r * 1.2), scene,
                     QString::number(node.level), inkOn(grey));
    }
    if (look.kept == 0) {
        painter.setPen(QPen(markColour(teach::Mark::retried, scene.palette), std::max(1.5, r * 0.18)));
        painter.drawLine(look.place + QPointF(-r, -r), look.place + QPointF(r, r));
        painter.drawLine(look.place + QPointF(-r, r), look.place + QPointF(r, -r));
    } else if (look.kept > 0) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(scene.palette.color(QPalette::Highlight), std::max(1.5, r * 0.2)));
        painter.drawEllipse(look.place, r * 1.2, r * 1.2);
    }
    if (look.sized) {
        const QString size = QCoreApplication::translate("Lab", "%n px", nullptr, static_cast<int>(node.area));
        paintFitting(painter,
                     QRectF(look.place.x() + r * 1.5, look.place.y() - r * 0.9, r * (kSizesEnd - 1.5), r * 0.75), scene,
                     size, secondaryText(scene.palette));
    }
}

} // namespace

std::vector<QPointF> nodePlaces(const QRectF& area, const LabScene& scene) {
    const auto recording = recordingOf(scene);
    std::vector<QPointF> places;
    if (recording == nullptr) {
        return places;
    }
    const double radius = radiusOf(area, recording->tree, largestRadius(scene));
    const double edge = radius * 1.4 + kMargin;
    const double sizes = hasSizes(area, recording->tree, radius) ? radius * kSizesEnd : 0;
    const QRectF inner = area.adjusted(kMargin, edge, -kMargin - sizes, -edge);
    for (const vm::DrawnTree::Node& node : recording->tree.nodes) {
        places.emplace_back(inner.left() + node.across * inner.width(), inner.top() + node.down * inner.height());
    }
    return places;
}

int nodeAt(QPointF place, const QRectF& area, const LabScene& scene) {
    const auto places = nodePlaces(area, scene);
    int nearest = -1;
    double least = 0;
    for (std::size_t n = 0; n < places.size(); ++n) {
        const QPointF way = places[n] - place;
        const double far = QPointF::dotProduct(way, way);
        if (nearest < 0 || far < least) {
            least = far;
            nearest = static_cast<int>(n);
        }
    }
    const auto recording = recordingOf(scene);
    const double reach =
        recording == nullptr ? 0 : std::max(8.0, radiusOf(area, recording->tree, largestRadius(scene)) * 1.5);
    return nearest >= 0 && least <= reach * reach ? nearest : -1;
}

void paintTree(QPainter& painter, const QRectF& area, const LabScene& scene) {
    const auto recording = recordingOf(scene);
    if (recording == nullptr) {
        painter.setPen(secondaryText(scene.palette));
        painter.drawText(area, Qt::AlignCenter, labText("…"));
        return;
    }
    const vm::DrawnTree& tree = recording->tree;
    const auto& parents = scene.layer(Layer::parent);
    const auto& kept = scene.layer(Layer::kept);
    const std::vector<QPointF> places = nodePlaces(area, scene);
    const double radius = radiusOf(area, tree, largestRadius(scene));
    std::vector<bool> isNew(scene.image.pixelCount(), false);
    for (const teach::Change& change : scene.lastChanges()) {
        if ((change.layer == Layer::parent || change.layer == Layer::kept) && change.at < isNew.size()) {
            isNew[change.at] = true;
        }
    }
    const int focus = scene.focus;
    const std::int64_t lit = focus >= 0 ? std::int64_t{tree.nodeOf[static_cast<std::size_t>(focus)]} : -1;
    const QColor ink = scene.palette.color(QPalette::Text);
    const QColor bright = markColour(teach::Mark::active, scene.palette);

    const bool sized = hasSizes(area, tree, radius);

    for (std::uint32_t n = 1; n < tree.nodes.size(); ++n) { // all links of the final tree
        painter.setPen(QPen(hairline(scene.palette), 1));
        paintLink(painter, places[tree.nodes[n].parent], places[n]);
    }
    std::vector<bool> there(tree.nodes.size(), false);
    for (std::uint32_t n = 0; n < tree.nodes.size(); ++n) {
        const auto link = linkOf(tree, parents, n);
        there[n] = link.has_value();
        if (!link || link->target == n) {
            continue;
        }
        const bool fresh = isNew[tree.nodes[n].canonical];
        const double thick = std::max(1.2, radius * 0.12) * (fresh ? 2 : 1);
        const QColor colour = fresh || !link->isFinal ? bright : ink;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colour, thick, link->isFinal ? Qt::SolidLine : Qt::DashLine));
        if (link->isFinal) {
            paintLink(painter, places[link->target], places[n]);
        } else {
            painter.drawLine(places[n], places[link->target]);
        }
    }
    for (std::uint32_t n = 0; n < tree.nodes.size(); ++n) {
        const std::uint32_t canonical = tree.nodes[n].canonical;
        if (n == lit) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(focusColour());
            painter.drawEllipse(places[n], radius * 1.4, radius * 1.4);
        }
        paintNode(
            painter, scene, tree.nodes[n],
            {places[n], radius, there[n], isNew[canonical], sized, canonical < kept.size() ? kept[canonical] : -1});
    }
}

} // namespace pollard::app
