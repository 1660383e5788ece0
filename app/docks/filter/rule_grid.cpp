#include "docks/filter/rule_grid.hpp"

#include "gl/tone.hpp"
#include "overlays/level_colours.hpp"
#include "theme/theme.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/filter/criterion_entry.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/tree/rules_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"

#include <QEvent>
#include <QIcon>
#include <QPainter>
#include <QPixmap>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace pollard::app {

namespace {

constexpr int kLines = 3;         ///< below an image
constexpr int kGap = 6;           ///< px around an image and its lines
constexpr int kSmallestSide = 32; ///< px, of the box of an image; smaller panels scroll
constexpr int kRules = static_cast<int>(kAllRules.size());

/// The image in a frame of one pixel, which shows the extent of an image in the colour of the background.
QIcon framed(const QImage& image, const QColor& frame, double ratio) {
    QImage whole(image.size() + QSize(2, 2), QImage::Format_ARGB32_Premultiplied);
    whole.fill(frame);
    QPainter painter(&whole);
    painter.setCompositionMode(QPainter::CompositionMode_Source);
    painter.drawImage(1, 1, image);
    painter.end();
    QPixmap pixmap = QPixmap::fromImage(whole);
    pixmap.setDevicePixelRatio(ratio);
    QIcon icon(pixmap);
    icon.addPixmap(pixmap, QIcon::Selected); // not tinted when selected
    return icon;
}

} // namespace

RuleGrid::RuleGrid(vm::RulesViewModel& rules, vm::FilterViewModel& filter, vm::DisplayViewModel& display,
                   QWidget* parent)
    : QWidget(parent), rules_(rules), filter_(filter), display_(display), images_(new QListWidget(this)),
      message_(new ElidedLabel(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelSpacing, kPanelMargin, kPanelSpacing);
    layout->setSpacing(kPanelSpacing / 2);
    images_->setViewMode(QListView::IconMode);
    images_->setMovement(QListView::Static);
    images_->setFrameShape(QFrame::NoFrame);
    images_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    images_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    explain(images_, "ruleImages", tr("Results of the rules"),
            tr("The part in the view under each rule for the present criteria. Click an image, or press Return, to "
               "filter by its rule. Each pixel is one of the exact result on the whole tree: where an image is "
               "reduced, the pixels between are left out"));
    for (const Rule rule : kAllRules) {
        auto* item = new QListWidgetItem(vm::ruleTitle(rule), images_);
        item->setTextAlignment(Qt::AlignHCenter);
        item->setToolTip(vm::ruleToolTip(rule));
    }
    images_->viewport()->installEventFilter(this);
    layout->addWidget(images_, 1);
    message_->setObjectName(QStringLiteral("rulesMessage"));
    layout->addWidget(message_);

    const auto choose = [this](const QListWidgetItem* item) { rules_.select(images_->row(item)); };
    connect(images_, &QListWidget::itemClicked, this, choose);
    connect(images_, &QListWidget::itemActivated, this, choose);
    using Display = vm::DisplayViewModel;
    for (const auto signal :
         {&Display::windowChanged, &Display::toneCurveChanged, &Display::colourMapChanged, &Display::marksChanged}) {
        connect(&display_, signal, this, &RuleGrid::requestResults);
    }
    connect(&display_, &Display::viewChanged, this, &RuleGrid::arrange);
    connect(&filter_, &vm::FilterViewModel::outputChanged, this, &RuleGrid::requestResults);
    onPixelRatio(this, [this] { requestResults(); });
    follow(this, &RuleGrid::showResults, rules_, &vm::RulesViewModel::changed);
    follow(this, &RuleGrid::showCurrent, rules_, &vm::RulesViewModel::currentChanged);
}

QRectF RuleGrid::part() const {
    const vm::ViewTransform& view = display_.view();
    const QRectF whole({0, 0}, QSizeF(view.imageSize));
    const QSizeF size = view.viewSize;
    const QRectF seen(view.toImage({0, 0}), view.toImage({size.width(), size.height()}));
    return view.isValid() && seen.intersects(whole) ? seen & whole : whole;
}

void RuleGrid::arrange() {
    const QSizeF shown = part().size().expandedTo({1, 1});
    const QSize room = images_->maximumViewportSize() - QSize(2, 2);
    const QSize around(2 * kGap, kLines * fontMetrics().lineSpacing() + 2 * kGap);
    int widest = 0;
    for (const Rule rule : kAllRules) {
        widest = std::max(widest, fontMetrics().horizontalAdvance(vm::ruleTitle(rule)));
    }
    QSize best;
    double bestScale = -1;
    for (int columns = 1; columns <= kRules && (columns == 1 || room.width() / columns >= widest); ++columns) {
        const QSize cell(room.width() / columns, room.height() / ((kRules + columns - 1) / columns));
        const QSize box = (cell - around).expandedTo({1, 1});
        const double scale = std::min(box.width() / shown.width(), box.height() / shown.height());
        if (scale > bestScale) {
            bestScale = scale;
            best = {box.width(), std::min(box.height(), static_cast<int>(std::ceil(shown.height() * scale)))};
        }
    }
    const QSize box = best.expandedTo({kSmallestSide, kSmallestSide});
    images_->setVerticalScrollBarPolicy(box == best ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
    if (box + around != images_->gridSize()) {
        images_->setIconSize(box);
        images_->setGridSize(box + around);
        for (int row = 0; row < kRules; ++row) {
            images_->item(row)->setSizeHint(box + around);
        }
    }
    requestResults();
}

void RuleGrid::requestResults() {
    Tone tone = toneOf(display_, filter_.output(), true);
    tone.difference = Tone::Difference::none;
    rules_.setLook({part(), images_->iconSize() * devicePixelRatioF() - QSize(2, 2),
                    [colours = LevelColours(tone, display_.colourMap())](std::uint16_t level) {
                        return colours.shade(level, level, true);
                    }});
}

void RuleGrid::showResults() {
    const bool known = !rules_.results().empty();
    for (int row = 0; row < kRules; ++row) {
        const Rule rule = kAllRules[static_cast<std::size_t>(row)];
        images_->item(row)->setIcon(known ? framed(rules_.image(row), hairline(palette()), devicePixelRatioF())
                                          : QIcon());
        images_->item(row)->setToolTip(known ? rules_.detailsOf(row) : vm::ruleToolTip(rule));
    }
    showTexts();
    message_->setFullText(rules_.message());
}

void RuleGrid::showTexts() {
    for (int row = 0; row < kRules; ++row) {
        const QString title = vm::ruleTitle(kAllRules[static_cast<std::size_t>(row)]);
        const QString marked = row == rules_.current() ? QStringLiteral("✓ ") + title : title;
        images_->item(row)->setText(rules_.results().empty() ? marked : marked + u'\n' + rules_.numbersOf(row));
    }
}

void RuleGrid::showCurrent() {
    showTexts();
    images_->setCurrentRow(rules_.current());
}

bool RuleGrid::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) {
        arrange();
    }
    return QWidget::eventFilter(watched, event);
}

void RuleGrid::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        arrange();
    } else if (event->type() == QEvent::PaletteChange) {
        showResults();
    }
}

} // namespace pollard::app
