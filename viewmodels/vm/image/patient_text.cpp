#include "vm/image/patient_text.hpp"

#include "io/volumes/patient_axes.hpp"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <cmath>
#include <cstddef>

namespace pollard::vm {

namespace {

QString patientTextsText(const char* source) { return QCoreApplication::translate("PatientText", source); }

QString nameOf(PatientPlane plane) {
    switch (plane) {
    case PatientPlane::sagittal:
        return patientTextsText("sagittal");
    case PatientPlane::coronal:
        return patientTextsText("coronal");
    case PatientPlane::axial:
        break;
    }
    return patientTextsText("axial");
}

} // namespace

std::optional<VoxelMap> patientMap(const ImageInfo* info) {
    return info == nullptr ? std::nullopt : pollard::patientMap(*info);
}

QString patientText(const ImageInfo* info, const Voxel& voxel) {
    const std::optional<VoxelMap> map = patientMap(info);
    if (!map) {
        return {};
    }
    constexpr double kTenth = 0.1;
    const AxisDirection centre = voxelCentre(*map, voxel.x, voxel.y, voxel.z);
    const QLocale locale;
    QStringList parts;
    for (std::size_t axis = 0; axis < centre.size(); ++axis) {
        const bool isBelow = std::round(centre[axis] / kTenth) < 0;
        parts << QStringLiteral("%1 %2").arg(QString(QLatin1Char(kRas[axis][isBelow ? 1 : 0])),
                                             locale.toString(std::abs(centre[axis]), 'f', 1));
    }
    const QString text = parts.join(QStringLiteral("  "));
    return info->place->unit.empty() ? text : text + QLatin1Char(' ') + QString::fromStdString(info->place->unit);
}

PlaneTurn turnOf(const ImageInfo* info, VolumeAxis across) {
    const std::optional<VoxelMap> map = patientMap(info);
    return map ? uprightTurn(*map, across) : PlaneTurn();
}

QString planeName(const ImageInfo* info, VolumeAxis across) {
    const std::optional<VoxelMap> map = patientMap(info);
    if (const auto plane = map ? patientPlane(*map, across) : std::nullopt) {
        return nameOf(*plane);
    }
    return across == VolumeAxis::x   ? QStringLiteral("YZ")
           : across == VolumeAxis::y ? QStringLiteral("XZ")
                                     : QStringLiteral("XY");
}

QString planeTitle(const ImageInfo* info, VolumeAxis across) {
    QString name = planeName(info, across);
    name[0] = name[0].toUpper();
    return name;
}

} // namespace pollard::vm
