#include "vm/recipe/operator_view_model.hpp"

#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/filter/filter_view_model.hpp"

#include "base/error.hpp"
#include "filter/filter_units.hpp"

#include <QFileInfo>
#include <QLocale>
#include <QStringList>

#include <algorithm>

namespace pollard::vm {

QString operatorTitle(OperatorKind kind) {
    switch (kind) {
    case OperatorKind::erosion:
        return OperatorViewModel::tr("Erosion");
    case OperatorKind::dilation:
        return OperatorViewModel::tr("Dilation");
    case OperatorKind::opening:
        return OperatorViewModel::tr("Opening");
    case OperatorKind::closing:
        return OperatorViewModel::tr("Closing");
    case OperatorKind::whiteTophat:
        return OperatorViewModel::tr("White top-hat");
    case OperatorKind::blackTophat:
        return OperatorViewModel::tr("Black top-hat");
    case OperatorKind::gradient:
        return OperatorViewModel::tr("Gradient");
    case OperatorKind::openingByReconstruction:
        return OperatorViewModel::tr("Opening by reconstruction");
    case OperatorKind::closingByReconstruction:
        return OperatorViewModel::tr("Closing by reconstruction");
    case OperatorKind::gaussian:
        return OperatorViewModel::tr("Gaussian smoothing");
    case OperatorKind::median:
        return OperatorViewModel::tr("Median");
    case OperatorKind::fillHoles:
        return OperatorViewModel::tr("Fill holes");
    case OperatorKind::clearBorder:
        return OperatorViewModel::tr("Clear border");
    case OperatorKind::hMaxima:
        return OperatorViewModel::tr("h-maxima");
    case OperatorKind::hMinima:
        return OperatorViewModel::tr("h-minima");
    case OperatorKind::distance:
        return OperatorViewModel::tr("Distance to the background");
    case OperatorKind::skeleton:
        return OperatorViewModel::tr("Skeleton");
    case OperatorKind::thickness:
        return OperatorViewModel::tr("Thickness on the skeleton");
    case OperatorKind::reconstructionByDilation:
        return OperatorViewModel::tr("Reconstruction by dilation");
    case OperatorKind::reconstructionByErosion:
        return OperatorViewModel::tr("Reconstruction by erosion");
    }
    return {};
}

QString operatorText(const OperatorSpec& spec) {
    const QString unit = unitText(spec.unit, Dimension::length);
    const auto number = [](double value) { return QLocale().toString(value, 'g', QLocale::FloatingPointShortest); };
    QStringList parts;
    if (takesShape(spec.kind)) {
        parts << (spec.shape == OperatorShape::disc ? OperatorViewModel::tr("disc") : OperatorViewModel::tr("box"))
              << OperatorViewModel::tr("radius %1 %2").arg(number(spec.radius), unit);
    }
    if (takesSigma(spec.kind)) {
        parts << OperatorViewModel::tr("sigma %1 %2").arg(number(spec.sigma), unit);
    }
    if (takesHeight(spec.kind)) {
        parts << OperatorViewModel::tr("height %1").arg(number(spec.height));
    }
    if (valuesOf(spec.kind) == OperatorValues::lengths) {
        parts << OperatorViewModel::tr("in %1").arg(unit);
    }
    if (takesMarker(spec.kind)) {
        QString file = QFileInfo(QString::fromStdString(spec.marker)).fileName();
        if (spec.markerChannel != ChannelChoice{}) {
            file += QStringLiteral(" (%1)").arg(QString::fromStdString(spec.markerChannel.text()));
        }
        parts << (spec.greyMarker ? OperatorViewModel::tr("grey marker %1") : OperatorViewModel::tr("marker %1"))
                     .arg(file);
    }
    if (takesConnectivity(spec.kind)) {
        parts << OperatorViewModel::tr("%1-connected").arg(static_cast<int>(spec.connectivity));
    }
    return parts.isEmpty()
               ? operatorTitle(spec.kind)
               : OperatorViewModel::tr("%1: %2").arg(operatorTitle(spec.kind), parts.join(QStringLiteral(", ")));
}

OperatorViewModel::OperatorViewModel(const FilterModels& models, QObject* parent)
    : QObject(parent), models_(models), unit_(models.document) {
    spec_.radius = 5;
    spec_.sigma = 2;
    spec_.height = 10;
    (void)unit_.prefer(false);
    const DocumentViewModel& document = models_.document;
    connect(&document, &DocumentViewModel::imageChanged, this, &OperatorViewModel::onDocument);
    connect(&document.pixelSizes(), &DocumentPixelSizes::changed, this, &OperatorViewModel::onDocument);
    connect(&document.choices(), &DocumentChoices::treeSpecChanged, this, &OperatorViewModel::changed);
    connect(&models_.filter, &FilterViewModel::specChanged, this, &OperatorViewModel::changed);
}

void OperatorViewModel::onDocument() {
    unit_.adopt();
    emit changed();
}

QString OperatorViewModel::heightUnit() const {
    const auto mapping = mappingOf(models_.document);
    return mapping ? fromUtf8(mapping->unit) : QString();
}

void OperatorViewModel::setUnit(LengthUnit unit) {
    if (unit_.choose(unit)) {
        onDocument();
    }
}

void OperatorViewModel::setMarkerChannel(const QString& channel) {
    if (channel.trimmed() == markerChannel_) {
        return;
    }
    markerChannel_ = channel.trimmed();
    channelProblem_.clear();
    try {
        spec_.markerChannel =
            markerChannel_.isEmpty() ? ChannelChoice{} : ChannelChoice::parse(markerChannel_.toStdString());
    } catch (const Error& error) {
        channelProblem_ = reasonOf(error.what(), "channel");
    }
    emit changed();
}

OperatorSpec OperatorViewModel::spec() const {
    OperatorSpec spec; // what the operator does not take keeps its default, as in a recipe that is read
    spec.kind = spec_.kind;
    if (takesShape(spec.kind)) {
        spec.shape = spec_.shape;
        spec.radius = spec_.radius;
    }
    spec.sigma = takesSigma(spec.kind) ? spec_.sigma : spec.sigma;
    spec.height = takesHeight(spec.kind) ? spec_.height : spec.height;
    if (takesMarker(spec.kind)) {
        spec.marker = spec_.marker;
        spec.markerChannel = spec_.markerChannel;
        spec.greyMarker = spec_.greyMarker;
    }
    spec.unit = takesLengths(spec.kind) ? unit() : spec.unit;
    spec.connectivity = takesConnectivity(spec.kind) ? connectivity() : spec.connectivity;
    return spec;
}

Connectivity OperatorViewModel::connectivity() const {
    const Extent like{1, 1, models_.document.isVolume() ? 2U : 1U};
    return correspondingConnectivity(like, connectivity_.value_or(models_.document.choices().connectivity()));
}

FilterStages OperatorViewModel::stages() const {
    FilterStages stages = presentStages(models_);
    FilterStage made = stages.back();
    made.on = true;
    made.filter = {};
    made.operation = spec();
    const bool isLast = models_.filter.isEnabled() && mayChange(models_.filter.spec());
    stages.insert(isLast ? stages.end() : stages.end() - 1, made);
    return withFilter(std::move(stages));
}

QString OperatorViewModel::problem() const {
    if (!models_.document.hasImage()) {
        return tr("No image is open.");
    }
    if (takesMarker(spec_.kind) && spec_.marker.empty()) {
        return tr("Choose the image of the marker.");
    }
    if (takesMarker(spec_.kind) && !channelProblem_.isEmpty()) {
        return channelProblem_;
    }
    ImageUnits units = unitsOf(models_.document);
    if (givesLengths(models_.document.shown().earlier)) {
        units.mapping.reset(); // lengths that are ranks get even distances
    }
    try {
        (void)inPixels(spec(), units);
    } catch (const Error& error) {
        return reasonOf(error.what(), "operator");
    }
    return problemOf(stages());
}

void OperatorViewModel::apply() {
    if (problem().isEmpty()) {
        takeStages(stages(), models_, operatorTitle(spec_.kind));
    }
}

} // namespace pollard::vm
