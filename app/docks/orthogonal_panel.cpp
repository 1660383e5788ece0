#include "docks/orthogonal_panel.hpp"

#include "docks/section_view.hpp"
#include "shell/models.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"

#include <QLocale>
#include <QVBoxLayout>

namespace pollard::app {

OrthogonalPanel::OrthogonalPanel(Models& models, QWidget* parent) : QWidget(parent), orthogonal_(models.orthogonal) {
    setObjectName(QStringLiteral("orthogonalPanel"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kPanelMargin, kPanelSpacing, kPanelMargin, kPanelSpacing);
    column->setSpacing(kPanelSpacing);
    pages_ = new QStackedWidget(this);
    views_ = new QSplitter(Qt::Horizontal, pages_);
    views_->setChildrenCollapsible(false);
    auto* xz = new SectionView(VolumeAxis::y, models);
    xz->setObjectName(QStringLiteral("sectionXZ"));
    explain(
        xz, tr("Section XZ"),
        tr("The volume from the front: x to the right, slices downwards, or upwards if they ascend towards the head"));
    auto* yz = new SectionView(VolumeAxis::x, models);
    yz->setObjectName(QStringLiteral("sectionYZ"));
    explain(yz, tr("Section YZ"), tr("The volume from the side: slices to the right, y downwards"));
    addView(xz, tr("XZ"));
    addView(yz, tr("YZ"));
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
    follow(this, &OrthogonalPanel::showState, models.orthogonal, &Orthogonal::changed);
    follow(this, &OrthogonalPanel::showState, models.orthogonal, &Orthogonal::positionChanged);
}

void OrthogonalPanel::addView(SectionView* view, const QString& name) {
    auto* box = new QWidget(views_);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(new CaptionLabel(name, box));
    column->addWidget(view, 1);
    views_->addWidget(box);
    connect(view, &PictureSurface::failed, this, [this](const QString& message) {
        failure_ = message;
        showState();
    });
}

const vm::Analysis& OrthogonalPanel::analysis() const noexcept { return orthogonal_; }

void OrthogonalPanel::setTall(bool tall) { views_->setOrientation(tall ? Qt::Vertical : Qt::Horizontal); }

void OrthogonalPanel::showState() {
    const bool isAvailable = orthogonal_.isAvailable();
    const QString& problem = failure_.isEmpty() ? orthogonal_.problem() : failure_;
    pages_->setCurrentIndex(isAvailable && problem.isEmpty() ? 0 : 1);
    reason_->setText(
        !problem.isEmpty() ? problem : tr("Open a volume to see it from the side: a stack of a microscope, CT, MRI."));
    position_->setVisible(isAvailable);
    const Voxel at = orthogonal_.position();
    const QLocale locale;
    position_->setText(
        tr("x %1, y %2, slice %3").arg(locale.toString(at.x), locale.toString(at.y), locale.toString(at.z + 1)));
}

} // namespace pollard::app
