#include "window/sample_gallery.hpp"

#include "theme/pixel_ratio.hpp"
#include "widgets/panel_parts.hpp"

#include <QIcon>
#include <QPainter>
#include <QPixmap>

#include <algorithm>
#include <cmath>

namespace pollard::app {
namespace {

constexpr QSize kImage(112, 84); ///< px
constexpr int kMostColumns = 4;

} // namespace

SampleGallery::SampleGallery(QWidget* parent)
    : QWidget(parent), samples_(QStringLiteral(":/pollard/samples")), grid_(new QGridLayout(this)) {
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setSpacing(kPanelSpacing / 2);
    QPixmap nothing(kImage);
    nothing.fill(Qt::transparent);
    for (const vm::SampleList::Sample& sample : vm::SampleList::all()) {
        auto* button = new QToolButton(this);
        button->setObjectName(QStringLiteral("trySample-") + sample.file);
        button->setText(sample.title + QLatin1Char('\n') + sample.purpose);
        button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
        button->setIconSize(kImage);
        button->setIcon(QIcon(nothing)); // the place of the image until it is made
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
        explain(button, tr("Open the sample %1").arg(sample.title), tr("%1: %2").arg(sample.title, sample.purpose));
        connect(button, &QToolButton::clicked, this, [this, file = sample.file] { emit chosen(file); });
        buttons_.push_back(button);
    }
    connect(&samples_, &vm::SampleList::thumbnailsMade, this, &SampleGallery::showThumbnails);
    onPixelRatio(this, [this] { makeThumbnails(); });
}

void SampleGallery::fitTo(int width) {
    int widest = 1;
    for (const QToolButton* button : buttons_) {
        widest = std::max(widest, button->sizeHint().width());
    }
    const int columns = std::clamp((width + grid_->spacing()) / (widest + grid_->spacing()), 1, kMostColumns);
    if (columns == columns_) {
        return;
    }
    columns_ = columns;
    for (int i = 0; i < static_cast<int>(buttons_.size()); ++i) {
        grid_->addWidget(buttons_[static_cast<std::size_t>(i)], i / columns, i % columns);
    }
}

void SampleGallery::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (samples_.thumbnails().empty()) {
        makeThumbnails();
    }
}

void SampleGallery::makeThumbnails() {
    samples_.makeThumbnails(static_cast<int>(std::lround(kImage.width() * devicePixelRatioF())));
}

void SampleGallery::showThumbnails() {
    for (std::size_t i = 0; i < std::min(buttons_.size(), samples_.thumbnails().size()); ++i) {
        QPixmap picture(kImage * devicePixelRatioF()); // all of one size, so that the texts are on one line
        picture.fill(Qt::transparent);
        const QImage& sample = samples_.thumbnails()[i];
        const QImage fitting = sample.scaled(picture.size(), Qt::KeepAspectRatio, Qt::SmoothTransformation);
        QPainter(&picture).drawImage((picture.width() - fitting.width()) / 2, (picture.height() - fitting.height()) / 2,
                                     fitting);
        picture.setDevicePixelRatio(devicePixelRatioF());
        buttons_[i]->setIcon(QIcon(picture));
    }
}

} // namespace pollard::app
