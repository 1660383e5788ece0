#include "window/carried_filter_bar.hpp"

#include "vm/session/carried_filter.hpp"
#include "vm/session/earlier_filters.hpp"
#include "widgets/couple.hpp"
#include "widgets/icon_button.hpp"
#include "widgets/panel_parts.hpp"

#include <QAccessible>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPushButton>

#include <algorithm>
#include <initializer_list>

namespace pollard::app {
namespace {

constexpr int kMargin = 6;    ///< px to the edges of the picture
constexpr int kShortest = 60; ///< minimum px of visible text

} // namespace

CarriedFilterBar::CarriedFilterBar(vm::CarriedFilter& carried, vm::EarlierFilters& earlier, QWidget& picture)
    : QFrame(&picture), carried_(carried), earlier_(earlier), picture_(picture), text_(new ElidedLabel(this)),
      keep_(new QPushButton(tr("&Keep"), this)), clear_(new QPushButton(tr("Clea&r"), this)) {
    setObjectName(QStringLiteral("carriedFilter"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setCursor(Qt::ArrowCursor);
    setAccessibleName(tr("Filter of another picture"));
    text_->setObjectName(QStringLiteral("carriedFilterText"));
    keep_->setObjectName(QStringLiteral("carriedFilterKeep"));
    explain(keep_, tr("Keep the filter"), tr("Keep the filter for this picture and the next ones"));
    clear_->setObjectName(QStringLiteral("carriedFilterClear"));
    explain(clear_, tr("Clear the filter"), tr("Show the picture as it is in the file; Undo brings the filter back"));
    QToolButton* close = makeIconButton(this, "carriedFilterClose", QStringLiteral("cancel"), tr("Close"),
                                        tr("Close this line and keep the filter"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(kPanelMargin, 3, 3, 3);
    row->setSpacing(kPanelSpacing);
    for (QWidget* part : std::initializer_list<QWidget*>{text_, keep_, clear_}) {
        part->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed); // place() sets the width of the text
    }
    row->addWidget(text_);
    row->addWidget(keep_);
    row->addWidget(clear_);
    row->addWidget(close);
    connect(keep_, &QPushButton::clicked, this, &CarriedFilterBar::keep);
    connect(close, &QToolButton::clicked, this, &CarriedFilterBar::keep);
    connect(clear_, &QPushButton::clicked, this, &CarriedFilterBar::clear);
    setVisible(false);
    follow(this, &CarriedFilterBar::showState, carried_, &vm::CarriedFilter::changed);
}

void CarriedFilterBar::place(int top) {
    if (!carried_.isNoticed()) {
        return;
    }
    const int room = std::max(picture_.width() - 2 * kMargin, 0);
    const int wanted = fontMetrics().horizontalAdvance(carried_.text()) + 4;
    text_->setFixedWidth(wanted);
    layout()->activate();
    const int beside = sizeHint().width() - wanted;
    text_->setFixedWidth(std::max(kShortest, std::min(wanted, room - beside)));
    layout()->activate();
    const QSize size = sizeHint();
    setGeometry((picture_.width() - size.width()) / 2, top + kMargin, size.width(), size.height());
}

void CarriedFilterBar::showState() {
    const bool there = carried_.isNoticed();
    if (there) {
        text_->setFullText(carried_.text());
        setAccessibleDescription(carried_.text());
    } else if (isAncestorOf(focusWidget()) && focusWidget()->hasFocus()) {
        leave();
    }
    const bool comes = there && !isVisible();
    setVisible(there);
    if (comes) {
        raise();
        QAccessibleEvent alert(this, QAccessible::Alert);
        QAccessible::updateAccessibility(&alert);
    }
    emit changed();
}

void CarriedFilterBar::keep() {
    leave();
    carried_.keep();
}

void CarriedFilterBar::clear() {
    leave();
    earlier_.clearAll();
}

void CarriedFilterBar::leave() { picture_.setFocus(Qt::OtherFocusReason); }

void CarriedFilterBar::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        keep();
    } else {
        QFrame::keyPressEvent(event);
    }
}

} // namespace pollard::app
