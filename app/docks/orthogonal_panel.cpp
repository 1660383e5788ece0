#include "docks/orthogonal_panel.hpp"

#include "docks/section_view.hpp"
#include "shell/models.hpp"
#include "vm/image/patient_text.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"

#include <QLocale>
#include <QVBoxLayout>

namespace pollard::app {

OrthogonalPanel::OrthogonalPanel(Models& models, QWidget* parent)
    : QWidget(parent), document_(models.document), orthogonal_(models.orthogonal) {
    setObjectName(QStringLiteral("orthogonalPanel"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kPanelMargin, kPanelSpacing, kPanelMargin, kPanelSpacing);
    column->setSpacing(kPanelSpacing);
    pages_ = new QStackedWidget(this);
    views_ = new QSplitter(Qt::Horizontal, pages_);
    views_->setChildrenCollapsible(false);
    addView(VolumeAxis::y, models, QStringLiteral("sectionXZ"),
            tr("The volume across y: a patient with the head or the front on top, else x to the right and slices "
               "downwards"));
    addView(VolumeAxis::x, models, QStringLiteral("sectionYZ"),
            tr("The volume across x: a patient with the head or the front on top, else slices to the right and y "
               "downwards"));
    reason_ = new QLabel(pages_);
    reason_->setObjectName(QStringLiteral("orthogonalReason"));
    reason_->setWordWrap(true);
    reason_->setAlignment(Qt::AlignCenter);
    pages_->addWidget(views_);
    pages_->addWidget(reason_);
    column->addWidget(pages_, 1);
    position_ = new CaptionLabel(QString(), this);
    position_->setObjectName(QStringLiteral("orthogonalPosition"));
    column->addWidget(position_);
    using Orthogonal = vm::OrthogonalViewModel;
    follow(this, &OrthogonalPanel::showNames, models.document, &vm::DocumentViewModel::imageChanged);
    follow(this, &OrthogonalPanel::showState, models.orthogonal, &Orthogonal::changed);
    follow(this, &OrthogonalPanel::showState, models.orthogonal, &Orthogonal::positionChanged);
}

void OrthogonalPanel::addView(VolumeAxis across, Models& models, const QString& objectName, const QString& toolTip) {
    auto* box = new QWidget(views_);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    auto* name = new CaptionLabel(QString(), box);
    name->setObjectName(objectName + QStringLiteral("Name"));
    column->addWidget(name);
    auto* view = new SectionView(across, models);
    view->setObjectName(objectName);
    column->addWidget(view, 1);
    shown_.push_back({across, view, name, toolTip});
    views_->addWidget(box);
    connect(view, &ImageSurface::failed, this, [this](const QString& message) {
        failure_ = message;
        showState();
    });
}

const vm::Analysis& OrthogonalPanel::analysis() const noexcept { return orthogonal_; }

void OrthogonalPanel::setTall(bool tall) { views_->setOrientation(tall ? Qt::Vertical : Qt::Horizontal); }

void OrthogonalPanel::showNames() {
    const auto info = document_.imageInfo();
    for (const View& each : shown_) {
        const QString title = vm::planeTitle(info.get(), each.across);
        each.name->setText(title);
        explain(each.view, tr("Section %1").arg(title), each.toolTip);
    }
}

void OrthogonalPanel::showState() {
    const bool isAvailable = orthogonal_.isAvailable();
    const QString& problem = failure_.isEmpty() ? orthogonal_.problem() : failure_;
    pages_->setCurrentIndex(isAvailable && problem.isEmpty() ? 0 : 1);
    reason_->setText(
        !problem.isEmpty() ? problem : tr("Open a volume to see it from the side: a stack of a microscope, CT, MRI."));
    position_->setVisible(isAvailable);
    const Voxel at = orthogonal_.position();
    const QLocale locale;
    QString text =
        tr("x %1, y %2, slice %3").arg(locale.toString(at.x), locale.toString(at.y), locale.toString(at.z + 1));
    if (const QString place = vm::patientText(document_.imageInfo().get(), at); !place.isEmpty()) {
        text += QStringLiteral("   ·   ") + place;
    }
    position_->setText(text);
}

} // namespace pollard::app
