#include "docks/charts/profile_strip.hpp"

#include "gl/tone.hpp"
#include "image/image.hpp"
#include "theme/theme.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/tree/attribute_analysis.hpp"
#include "widgets/form.hpp"
#include "widgets/input_focus.hpp"
#include "widgets/panel_parts.hpp"

#include <QEvent>
#include <QGridLayout>
#include <QIcon>
#include <QPixmap>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace pollard::app {

namespace {

constexpr int kSide = static_cast<int>(vm::ProfileViewModel::kThumbnailSide) / 2; ///< logical px
/// Role for the index of an item in the list; -1 for the original.
constexpr int kNumberRole = Qt::UserRole;

std::uint16_t highestOf(const std::vector<vm::ProfileThumbnail>& thumbnails) {
    std::uint16_t highest = 1;
    for (const vm::ProfileThumbnail& thumbnail : thumbnails) {
        for (std::size_t i = 0; i < thumbnail.image->pixelCount(); ++i) {
            highest = std::max(highest, thumbnail.image->level(i));
        }
    }
    return highest;
}

} // namespace

ProfileStrip::ProfileStrip(vm::ProfileViewModel& profile, vm::DisplayViewModel& display, QWidget* parent)
    : QWidget(parent), profile_(profile), display_(display), images_(new QListWidget(this)),
      message_(new ElidedLabel(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelSpacing, kPanelMargin, kPanelSpacing);
    layout->setSpacing(kPanelSpacing / 2);
    layout->addWidget(makeHead());
    images_->setViewMode(QListView::IconMode);
    images_->setFlow(QListView::LeftToRight);
    images_->setWrapping(false);
    images_->setMovement(QListView::Static);
    images_->setUniformItemSizes(true);
    images_->setIconSize({kSide, kSide});
    images_->setSpacing(4);
    images_->setFrameShape(QFrame::NoFrame);
    images_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    images_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    images_->setMinimumHeight(kSide + 4 * fontMetrics().height());
    explain(images_, "profileImages", tr("Images of the profile"),
            tr("The result of each threshold, or with 'Differences' the part removed by the step to it. Click an "
               "image, or press Return, to filter with its threshold"));
    layout->addWidget(images_, 1);
    message_->setObjectName(QStringLiteral("profileMessage"));
    layout->addWidget(message_);

    using Profile = vm::ProfileViewModel;
    const auto choose = [this](const QListWidgetItem* item) { profile_.select(item->data(kNumberRole).toInt()); };
    connect(images_, &QListWidget::itemClicked, this, choose);
    connect(images_, &QListWidget::itemActivated, this, choose);
    connect(&profile_, &Profile::thresholdsChanged, this, &ProfileStrip::showThresholds);
    connect(&profile_, &Profile::differentialChanged, this, &ProfileStrip::showThresholds);
    connect(&profile_, &Profile::changed, this, &ProfileStrip::showImages);
    connect(&profile_, &Profile::currentChanged, this, &ProfileStrip::showCurrent);
    connect(&display_, &vm::DisplayViewModel::windowChanged, this, &ProfileStrip::showImages);
    connect(&display_, &vm::DisplayViewModel::toneCurveChanged, this, &ProfileStrip::showImages);
    onPixelRatio(this, [this] { showImages(); });
    showThresholds();
    showImages();
}

QWidget* ProfileStrip::makeHead() {
    auto* head = new QWidget(this);
    auto* layout = new QGridLayout(head); // the list of thresholds has a row of its own
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kPanelSpacing);
    layout->setColumnStretch(2, 1);
    thresholds_ = makeControl<QLineEdit>(
        head, "profileThresholds", tr("Thresholds of the profile"),
        tr("Thresholds of the current criterion's attribute, smallest value that is kept; numbers between commas"));
    thresholds_->setPlaceholderText(tr("e.g. 10, 100, 1000"));
    auto* caption = new CaptionLabel(tr("&Thresholds"), head);
    caption->setBuddy(thresholds_);
    layout->addWidget(caption, 0, 0);
    layout->addWidget(thresholds_, 0, 1, 1, 2);
    follow_ = makeControl<QPushButton>(
        head, "profileFromSpectrum", tr("Thresholds from the spectrum"),
        tr("Thresholds that remove 0.5, 2, 6, 15 and 40 % of the grey mass, for this image and the next ones"),
        tr("From &spectrum"));
    layout->addWidget(follow_, 1, 0, 1, 2);
    differential_ = makeControl<QCheckBox>(
        head, "profileDifferential", tr("Differences"),
        tr("Show the part removed by each step instead of its result (differential profile)"), tr("&Differences"));
    layout->addWidget(differential_, 1, 2);

    connect(thresholds_, &QLineEdit::editingFinished, this, &ProfileStrip::readThresholds);
    connect(follow_, &QPushButton::clicked, &profile_, &vm::ProfileViewModel::followSpectrum);
    connect(differential_, &QCheckBox::toggled, &profile_, &vm::ProfileViewModel::setDifferential);
    return head;
}

void ProfileStrip::readThresholds() {
    if (!thresholds_->isModified()) {
        return;
    }
    thresholds_->setModified(false);
    const QString problem = profile_.setThresholdsText(thresholds_->text());
    ReturnToImage::setWrong(*thresholds_, !problem.isEmpty());
    if (problem.isEmpty()) {
        showThresholds(); // sorted, without duplicates
    } else {
        message_->setFullText(problem);
        message_->show();
    }
}

void ProfileStrip::showThresholds() {
    const QSignalBlocker quiet(thresholds_);
    thresholds_->setText(profile_.thresholdsText());
    ReturnToImage::setWrong(*thresholds_, false);
    follow_->setEnabled(!profile_.followsSpectrum());
    differential_->setChecked(profile_.isDifferential());
}

QIcon ProfileStrip::iconOf(const Image& image, std::uint16_t highest) const {
    const QSize box = QSize(kSide, kSide) * devicePixelRatioF();
    QPixmap pixmap = QPixmap::fromImage(greyImage(image, display_, highest))
                         .scaled(box, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    pixmap.setDevicePixelRatio(devicePixelRatioF());
    QIcon icon(pixmap);
    icon.addPixmap(pixmap, QIcon::Selected); // not tinted when selected
    return icon;
}

void ProfileStrip::showImages() {
    const QSignalBlocker quiet(images_);
    images_->clear();
    const auto& thumbnails = profile_.thumbnails();
    if (const auto original = profile_.original()) {
        const auto add = [this](const QString& title, const QString& tip, const QIcon& icon, int number) {
            auto* item = new QListWidgetItem(icon, title, images_);
            item->setToolTip(tip);
            item->setData(kNumberRole, number);
            item->setTextAlignment(Qt::AlignHCenter);
        };
        add(tr("original"), tr("Keep every component"), iconOf(*original, 0), -1);
        const std::uint16_t highest = profile_.showsDifferences() ? highestOf(thumbnails) : std::uint16_t{0};
        for (int number = 0; number < static_cast<int>(thumbnails.size()); ++number) {
            add(profile_.titleOf(number), profile_.descriptionOf(number),
                iconOf(*thumbnails[static_cast<std::size_t>(number)].image, highest), number);
        }
    }
    showCurrent();
    showMessage();
}

void ProfileStrip::showCurrent() {
    const int row = profile_.current() + 1;
    const bool picked = row > 0 && row < images_->count();
    images_->setCurrentItem(picked ? images_->item(row) : nullptr);
    if (!picked) {
        images_->clearSelection();
    }
}

void ProfileStrip::showMessage() {
    using State = vm::ProfileViewModel::State;
    QString text;
    switch (profile_.state()) {
    case State::empty:
        break;
    case State::computing:
        text = profile_.original() ? QString() : tr("Filtering …");
        break;
    case State::failed:
        text = profile_.problem();
        break;
    case State::ready:
        text =
            profile_.thumbnails().empty() ? tr("The image has one grey level: there is nothing to remove.") : QString();
        break;
    }
    message_->setFullText(text);
    message_->setVisible(!text.isEmpty());
}

void ProfileStrip::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        images_->setMinimumHeight(kSide + 4 * fontMetrics().height());
    }
}

} // namespace pollard::app
