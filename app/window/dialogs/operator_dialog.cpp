#include "window/dialogs/operator_dialog.hpp"

#include "overlays/overlay_layer.hpp"
#include "shell/file_dialogs.hpp"
#include "shell/models.hpp"
#include "vm/document/image_units.hpp"
#include "vm/recipe/operator_preview.hpp"
#include "vm/recipe/operator_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/form.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace pollard::app {
namespace {

using Operators = vm::OperatorViewModel;

constexpr double kMostHeight = 1e9;
constexpr int kTextWidth = 360; ///< px

ValueBox* makeSize(QWidget* parent, const char* objectName, const QString& name, const QString& toolTip, double most) {
    auto* box = makeControl<ValueBox>(parent, objectName, name, toolTip);
    box->setScale(0, most, 0.001);
    box->setSingleStep(1);
    return box;
}

} // namespace

OperatorDialog::OperatorDialog(Models& models, QWidget* parent)
    : QDialog(parent), models_(models), form_(new QFormLayout), problem_(new QLabel(this)) {
    setObjectName(QStringLiteral("operatorDialog"));
    setWindowTitle(tr("Operator"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kPanelMargin, 2 * kPanelMargin, 2 * kPanelMargin, kPanelMargin);
    auto* does = new QLabel(tr("An operator makes an image from the result, as a step before the next filter. "
                               "Pixels outside the region stay as they are."),
                            this);
    does->setWordWrap(true);
    does->setMinimumWidth(kTextWidth);
    layout->addWidget(does);
    addRows();
    layout->addLayout(form_);
    preview_ = new vm::OperatorPreview(models_.operators,
                                       {models_.document, models_.filter, models_.region, models_.history}, this);
    if (parent != nullptr) {
        for (OverlayPane* const overlays : parent->findChildren<OverlayPane*>()) {
            overlays->showPreview(*preview_);
        }
    }
    previews_ =
        makeControl<QCheckBox>(this, "operatorPreview", tr("Preview"),
                               tr("Show the result of the operator in place of the image, until it is applied or "
                                  "this dialog is closed"),
                               tr("&Preview"));
    previews_->setChecked(true);
    connect(previews_, &QCheckBox::toggled, preview_, &vm::OperatorPreview::setOn);
    layout->addWidget(previews_);
    problem_->setObjectName(QStringLiteral("operatorProblem"));
    problem_->setWordWrap(true);
    problem_->setAccessibleName(tr("Why the operator cannot be applied"));
    layout->addWidget(problem_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Apply | QDialogButtonBox::Close, this);
    apply_ = buttons->button(QDialogButtonBox::Apply);
    apply_->setObjectName(QStringLiteral("applyOperator"));
    apply_->setDefault(true);
    connect(apply_, &QPushButton::clicked, this, &OperatorDialog::apply);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);
    layout->setSizeConstraint(QLayout::SetFixedSize);
    follow(this, &OperatorDialog::showState, models_.operators, &Operators::changed);
    connect(preview_, &vm::OperatorPreview::changed, this, &OperatorDialog::showPreview);
    preview_->setOn(true);
}

void OperatorDialog::apply() {
    preview_->holdForResult();
    models_.operators.apply();
}

void OperatorDialog::showPreview() {
    previews_->setText(preview_->isComputing() ? tr("&Preview: computing…") : tr("&Preview"));
    const QString reason = models_.operators.problem();
    const QString problem = reason.isEmpty() ? preview_->problem() : reason;
    problem_->setText(problem);
    problem_->setVisible(!problem.isEmpty());
}

void OperatorDialog::addRows() {
    Operators& model = models_.operators;
    auto* kind = makeControl<QComboBox>(this, "operatorKind", tr("Operator"), tr("The operation on the image"));
    for (const OperatorKind each : kOperators) {
        kind->addItem(vm::operatorTitle(each), static_cast<int>(each));
    }
    couple(kind, model, &Operators::kind, &Operators::setKind, &Operators::changed);
    form_->addRow(tr("&Operator"), kind);
    auto* shape = makeControl<QComboBox>(this, "operatorShape", tr("Shape"),
                                         tr("Pixels around a pixel that count; in a volume a ball or a box"));
    addChoices<OperatorShape>(shape, {{tr("Disc"), OperatorShape::disc}, {tr("Box"), OperatorShape::box}});
    couple(shape, model, &Operators::shape, &Operators::setShape, &Operators::changed);
    form_->addRow(tr("&Shape"), shape_ = shape);
    auto* radius = makeSize(this, "operatorRadius", tr("Radius"),
                            tr("From the centre of the shape; of a box half of the side"), OperatorSpec::kMostRadius);
    couple(radius, model, &Operators::radius, &Operators::setRadius, &Operators::changed);
    form_->addRow(tr("&Radius"), radius_ = radius);
    auto* sigma = makeSize(this, "operatorSigma", tr("Sigma"), tr("Standard deviation of the Gaussian"),
                           OperatorSpec::kMostSigma);
    couple(sigma, model, &Operators::sigma, &Operators::setSigma, &Operators::changed);
    form_->addRow(tr("S&igma"), sigma_ = sigma);
    height_ = makeSize(this, "operatorHeight", tr("Height"),
                       tr("Difference of values: lower maxima (minima) disappear, others lose it"), kMostHeight);
    couple(height_, model, &Operators::height, &Operators::setHeight, &Operators::changed);
    form_->addRow(tr("&Height"), height_);
    unit_ = makeControl<QComboBox>(this, "operatorUnit", tr("Unit of lengths"),
                                   tr("Of the radius, sigma, distances and the thickness; in volumes px are widths "
                                      "of a voxel"));
    form_->addRow(tr("&Unit"), unit_);
    connect(unit_, &QComboBox::activated, this,
            [this] { models_.operators.setUnit(static_cast<LengthUnit>(unit_->currentData().toInt())); });
    marker_ = makeControl<QPushButton>(this, "operatorMarker", tr("Marker"),
                                       tr("An image of the same size, such as labels; its pixels other than 0 are "
                                          "marked, or, of a grey marker, its values count"));
    connect(marker_, &QPushButton::clicked, this, &OperatorDialog::chooseMarker);
    form_->addRow(tr("&Marker"), marker_);
    markerChannel_ = makeControl<QLineEdit>(this, "operatorMarkerChannel", tr("Channel of the marker"),
                                            tr("Name or number of a channel of the marker, from 0; empty: its "
                                               "luminance"));
    markerChannel_->setPlaceholderText(tr("luminance"));
    connect(markerChannel_, &QLineEdit::editingFinished, this,
            [this] { models_.operators.setMarkerChannel(markerChannel_->text()); });
    form_->addRow(tr("&Channel"), markerChannel_);
    greyMarker_ = makeControl<QCheckBox>(this, "operatorGreyMarker", tr("Grey marker"),
                                         tr("The reconstruction starts from the values of the marker instead of the "
                                            "image at the marked pixels. By dilation, values above the image count as "
                                            "the image; by erosion, values below it"),
                                         tr("&Grey marker"));
    couple(greyMarker_, model, &Operators::hasGreyMarker, &Operators::setGreyMarker, &Operators::changed);
    form_->addRow(QString(), greyMarker_);
    neighbours_ = makeControl<QComboBox>(this, "operatorNeighbours", tr("Neighbours of a pixel"),
                                         tr("Which neighbours belong to the same component"));
    form_->addRow(tr("&Neighbours"), neighbours_);
    connect(neighbours_, &QComboBox::activated, this, [this] {
        models_.operators.setConnectivity(static_cast<Connectivity>(neighbours_->currentData().toInt()));
    });
}

void OperatorDialog::showNeighbours() {
    const QSignalBlocker quiet(neighbours_);
    const auto present = static_cast<int>(models_.operators.connectivity());
    if (neighbours_->findData(present) < 0) {
        offerNeighbours(*neighbours_, models_.document.isVolume());
    }
    coupling::showValue(*neighbours_, present);
}

void OperatorDialog::chooseMarker() {
    if (const QString path = askForImage(*this, models_); !path.isEmpty()) {
        models_.operators.setMarker(path);
    }
}

void OperatorDialog::showUnits() {
    const QSignalBlocker quiet(unit_);
    unit_->clear();
    for (const LengthUnit unit : models_.operators.units()) {
        unit_->addItem(vm::unitText(unit, Dimension::length), static_cast<int>(unit));
    }
    coupling::showValue(*unit_, static_cast<int>(models_.operators.unit()));
}

void OperatorDialog::showState() {
    const Operators& model = models_.operators;
    const OperatorKind kind = model.kind();
    form_->setRowVisible(shape_, takesShape(kind));
    form_->setRowVisible(radius_, takesShape(kind));
    form_->setRowVisible(sigma_, takesSigma(kind));
    form_->setRowVisible(height_, takesHeight(kind));
    form_->setRowVisible(unit_, takesLengths(kind));
    form_->setRowVisible(marker_, takesMarker(kind));
    form_->setRowVisible(markerChannel_, takesMarker(kind));
    form_->setRowVisible(greyMarker_, takesMarker(kind));
    form_->setRowVisible(neighbours_, takesConnectivity(kind));
    showUnits();
    showNeighbours();
    const QString unit = model.heightUnit();
    height_->setSuffix(unit.isEmpty() ? QString() : QStringLiteral(" %1").arg(unit));
    if (!markerChannel_->hasFocus()) {
        markerChannel_->setText(model.markerChannel());
    }
    marker_->setText(model.marker().isEmpty() ? tr("Choose an image…") : QFileInfo(model.marker()).fileName());
    showPreview();
    apply_->setEnabled(model.problem().isEmpty());
}

} // namespace pollard::app
