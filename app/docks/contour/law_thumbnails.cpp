#include "docks/contour/law_thumbnails.hpp"

#include "canvas/tone_of.hpp"
#include "theme/pixel_ratio.hpp"
#include "vm/contour/contour_view_model.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/image/world_scale.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"

#include <QHBoxLayout>
#include <QIcon>
#include <QLocale>
#include <QPainter>
#include <QPen>
#include <QShowEvent>
#include <QTransform>
#include <QVBoxLayout>

#include <string>

namespace pollard::app {
namespace {

constexpr int kSide = static_cast<int>(vm::ContourLaws::kSide) / 2; ///< logical px
constexpr double kLine = 1.5;                                       ///< logical px
const QColor kLineColour(255, 122, 48);
const QColor kHaloColour(24, 24, 24);

} // namespace

LawThumbnails::LawThumbnails(vm::ContourViewModel& contours, vm::DisplayViewModel& display, QWidget* parent)
    : QWidget(parent), contours_(contours), display_(display), laws_(contours), message_(new ElidedLabel(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    message_->setObjectName(QStringLiteral("contourLawsMessage"));
    column->addWidget(message_);
    auto* row = new QHBoxLayout;
    row->setSpacing(2);
    for (std::size_t i = 0; i < buttons_.size(); ++i) {
        const RegionLaw law = kRegionLaws[i];
        auto* button = new QToolButton(this);
        button->setObjectName(QStringLiteral("contourLaw-") + QString::fromStdString(std::string(nameOf(law))));
        button->setText(vm::lawName(law));
        button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
        button->setIconSize({kSide, kSide});
        button->setAutoRaise(true);
        button->setCheckable(true);
        connect(button, &QToolButton::clicked, &laws_, [this, law] { laws_.take(law); });
        row->addWidget(button);
        buttons_[i] = button;
    }
    row->addStretch(1);
    column->addLayout(row);
    connect(&display_, &vm::DisplayViewModel::windowChanged, this, &LawThumbnails::showTone);
    connect(&display_, &vm::DisplayViewModel::toneCurveChanged, this, &LawThumbnails::showTone);
    connect(&contours_.runs(), &vm::ContourRuns::changed, this, &LawThumbnails::showLaws);
    onPixelRatio(this, [this] { showTone(); });
    follow(this, &LawThumbnails::showLaws, laws_, &vm::ContourLaws::changed);
}

void LawThumbnails::showTone() {
    if (isVisible()) { // else the event of showing follows
        showLaws();
    }
}

void LawThumbnails::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    showLaws();
}

void LawThumbnails::showLaws() {
    setVisible(contours_.runs().current() >= 0);
    message_->setFullText(messageText());
    const auto comparison = laws_.comparison();
    const QImage grey = comparison ? greyImage(*comparison->picture, display_) : QImage();
    for (std::size_t i = 0; i < buttons_.size(); ++i) {
        QToolButton& button = *buttons_[i];
        const RegionLaw law = kRegionLaws[i];
        const vm::LawContours* found = comparison ? comparison->find(law) : nullptr;
        const bool isChosen = comparison && law == comparison->chosen;
        QFont bold = font();
        bold.setBold(isChosen);
        button.setFont(bold);
        button.setEnabled(found != nullptr);
        button.setChecked(found != nullptr && laws_.current() == law);
        button.setIcon(found != nullptr ? QIcon(pictureOf(grey, *found)) : QIcon());
        explain(&button, isChosen ? tr("%1, chosen by the noise").arg(vm::lawName(law)) : vm::lawName(law),
                found != nullptr ? textOf(*found, isChosen) : messageText());
    }
}

QString LawThumbnails::messageText() const {
    switch (laws_.state()) {
    case vm::AsyncState::empty:
        return tr("The results of the other laws appear after the last state");
    case vm::AsyncState::computing:
        return tr("Trying the other laws…");
    case vm::AsyncState::failed:
        return laws_.problem();
    case vm::AsyncState::ready:
        break;
    }
    return tr("Results of the laws; the noise fits %1").arg(vm::lawName(laws_.comparison()->chosen));
}

QString LawThumbnails::textOf(const vm::LawContours& found, bool isChosen) const {
    const QLocale locale;
    const QString pixels = tr("%1 px").arg(locale.toString(static_cast<qulonglong>(found.pixels)));
    const QString area = vm::sceneArea(contours_.document().imageInfo().get(), static_cast<double>(found.pixels));
    const QString numbers = tr("%1: area %2, energy %3")
                                .arg(vm::lawName(found.run.spec.law), area.isEmpty() ? pixels : area,
                                     locale.toString(found.energy, 'f', 1));
    const QString how = tr("Click to continue with these contours. Energies of different laws do not compare");
    return isChosen ? tr("%1\nThe law that fits the growth of the noise with the level\n%2").arg(numbers, how)
                    : tr("%1\n%2").arg(numbers, how);
}

QPixmap LawThumbnails::pictureOf(const QImage& grey, const vm::LawContours& found) const {
    const double ratio = devicePixelRatioF();
    QPixmap pixmap =
        QPixmap::fromImage(grey).scaled(QSize(kSide, kSide) * ratio, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    const QTransform toPicture = QTransform::fromScale(pixmap.width(), pixmap.height());
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const QPen& pen : {QPen(kHaloColour, (kLine + 1.5) * ratio), QPen(kLineColour, kLine * ratio)}) {
        painter.setPen(pen);
        for (const QPolygonF& outline : found.outlines) {
            painter.drawPolygon(toPicture.map(outline));
        }
    }
    painter.end();
    pixmap.setDevicePixelRatio(ratio);
    return pixmap;
}

} // namespace pollard::app
