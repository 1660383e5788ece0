#include "lab/lab_scene.hpp"

#include "lab/lab_painters.hpp"

#include <QCoreApplication>
#include <QPainter>

namespace pollard::app {
namespace {

QString labText(const char* source) { return QCoreApplication::translate("Lab", source); }

} // namespace

const std::vector<std::int64_t>& LabScene::layer(teach::Layer layer) const {
    static const std::vector<std::int64_t> kNone;
    return cursor != nullptr ? cursor->layer(layer) : kNone;
}

std::span<const teach::Change> LabScene::lastChanges() const {
    return cursor != nullptr ? vm::changesOfLastStep(*cursor) : std::span<const teach::Change>();
}

bool hasPart(const vm::LabRecording* recording, LabPart part) {
    using teach::Layer;
    const auto has = [recording](Layer layer) {
        return recording != nullptr && !recording->trace->start[static_cast<std::size_t>(layer)].empty();
    };
    switch (part) {
    case LabPart::parents:
        return has(Layer::parent);
    case LabPart::result:
        return has(Layer::output);
    case LabPart::tree:
        return has(Layer::parent) || has(Layer::kept);
    case LabPart::table:
        return has(Layer::table);
    case LabPart::words:
        return has(Layer::word);
    case LabPart::picture:
        break;
    }
    return true;
}

QString titleOf(LabPart part) {
    switch (part) {
    case LabPart::parents:
        return labText("Parents");
    case LabPart::result:
        return labText("Result");
    case LabPart::tree:
        return labText("Tree");
    case LabPart::table:
        return labText("Table");
    case LabPart::words:
        return labText("Machine words");
    case LabPart::picture:
        break;
    }
    return labText("Picture");
}

void paintPart(QPainter& painter, const QRectF& area, const LabScene& scene, LabPart part) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(scene.font);
    switch (part) {
    case LabPart::picture:
        paintImage(painter, area, scene);
        break;
    case LabPart::parents:
        paintParents(painter, area, scene);
        break;
    case LabPart::result:
        paintResult(painter, area, scene);
        break;
    case LabPart::tree:
        paintTree(painter, area, scene);
        break;
    case LabPart::table:
        paintTable(painter, area, scene);
        break;
    case LabPart::words:
        paintWords(painter, area, scene);
        break;
    }
    painter.restore();
}

} // namespace pollard::app
