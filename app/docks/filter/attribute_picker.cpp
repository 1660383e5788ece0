#include "docks/filter/attribute_picker.hpp"

#include "theme/theme.hpp"
#include "widgets/panel_parts.hpp"

#include <QAction>
#include <QKeyEvent>
#include <QPainter>
#include <QScreen>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>
#include <cstdlib>

namespace pollard::app {
namespace {

using Catalogue = vm::AttributeCatalogue;

constexpr QSize kPopupSize(400, 460);
constexpr int kPad = 10;             ///< px at both sides of a row
constexpr int kRowSpace = 12;        ///< px added to the height of the two lines of a row
constexpr int kPageRows = 6;         ///< attributes per Page Up or Page Down
const QChar kIncreasingMark(0x2197); ///< arrow upwards

QFont scaled(QFont font, double factor) {
    font.setPointSizeF(font.pointSizeF() * factor);
    return font;
}

/// Paints headings, and attributes in two lines: title with unit, and formula.
class CatalogueDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const QRect row = option.rect.adjusted(kPad, 0, -kPad, 0);
        const bool heading = !index.data(Catalogue::attributeRole).isValid();
        QFont strong = option.font;
        strong.setWeight(QFont::DemiBold);
        painter->save();
        if (heading) {
            painter->setFont(scaled(strong, 0.9));
            QPalette palette = option.palette; // headings are disabled but must be readable
            palette.setCurrentColorGroup(QPalette::Active);
            painter->setPen(secondaryText(palette));
            painter->drawText(row.adjusted(0, 0, 0, -3), Qt::AlignLeft | Qt::AlignBottom, index.data().toString());
            painter->restore();
            return;
        }
        const bool chosen = option.state.testFlag(QStyle::State_Selected);
        if (chosen) {
            painter->fillRect(option.rect, option.palette.color(QPalette::Highlight));
        } else if (option.state.testFlag(QStyle::State_MouseOver)) {
            painter->fillRect(option.rect, option.palette.color(QPalette::AlternateBase));
        }
        const QColor text = option.palette.color(chosen ? QPalette::HighlightedText : QPalette::Text);
        const QColor faint = chosen ? text : secondaryText(option.palette);
        const QRect lines = row.adjusted(0, kRowSpace / 2, 0, -kRowSpace / 2);
        QString mark = index.data(Catalogue::unitRole).toString();
        if (index.data(Catalogue::increasingRole).toBool()) {
            mark = mark.isEmpty() ? QString(kIncreasingMark) : QStringLiteral("%1  %2").arg(mark, kIncreasingMark);
        }
        const QFont small = scaled(option.font, 0.9);
        painter->setFont(option.font);
        painter->setPen(faint);
        painter->drawText(lines, Qt::AlignRight | Qt::AlignTop, mark);
        const int markWidth = option.fontMetrics.horizontalAdvance(mark) + kPad;
        painter->setPen(text);
        painter->drawText(
            lines, Qt::AlignLeft | Qt::AlignTop,
            option.fontMetrics.elidedText(index.data().toString(), Qt::ElideRight, lines.width() - markWidth));
        painter->setFont(small);
        painter->setPen(faint);
        painter->drawText(lines, Qt::AlignLeft | Qt::AlignBottom,
                          QFontMetrics(small).elidedText(index.data(Catalogue::formulaRole).toString(), Qt::ElideRight,
                                                         lines.width()));
        painter->restore();
    }

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const int line = option.fontMetrics.height();
        const bool heading = !index.data(Catalogue::attributeRole).isValid();
        return {100, heading ? line + kRowSpace : 2 * line + kRowSpace};
    }
};

} // namespace

AttributePicker::AttributePicker(QWidget* parent)
    : QFrame(parent, Qt::Popup), catalogue_(new Catalogue(this)), search_(new QLineEdit(this)),
      list_(new QListView(this)) {
    setObjectName(QStringLiteral("attributePicker"));
    setFrameShape(QFrame::StyledPanel);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(6);
    search_->setPlaceholderText(tr("Search by name, group, unit or formula"));
    search_->setClearButtonEnabled(true);
    explain(search_, "attributeSearch", tr("Search attributes"), tr("Type a part of a name, group, unit or formula"));
    search_->installEventFilter(this);
    layout->addWidget(search_);
    list_->setObjectName(QStringLiteral("attributeList"));
    list_->setAccessibleName(tr("Attributes"));
    list_->setModel(catalogue_);
    list_->setItemDelegate(new CatalogueDelegate(list_));
    list_->setFrameShape(QFrame::NoFrame);
    list_->setMouseTracking(true);
    list_->setFocusPolicy(Qt::NoFocus); // keys go to the search field
    list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    layout->addWidget(list_, 1);
    auto* legend = new CaptionLabel(
        tr("%1 increasing: never smaller in a component than in one inside it").arg(kIncreasingMark), this);
    legend->setWordWrap(true);
    layout->addWidget(legend);

    connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
        catalogue_->setQuery(text);
        select(catalogue_->bestRow());
    });
    connect(list_, &QListView::clicked, this, &AttributePicker::accept);
}

void AttributePicker::popUp(const QWidget& anchor, AttributeId current, const QString& query) {
    search_->setText(query);
    catalogue_->setQuery(query);
    catalogue_->refresh();
    select(query.isEmpty() ? catalogue_->rowOf(current) : catalogue_->bestRow());
    place(anchor);
    show();
    search_->setFocus(Qt::PopupFocusReason);
    list_->scrollTo(list_->currentIndex(), QAbstractItemView::PositionAtCenter);
}

void AttributePicker::place(const QWidget& anchor) {
    const QRect screen = anchor.screen()->availableGeometry();
    const QRect at(anchor.mapToGlobal(QPoint(0, 0)), anchor.size());
    const int below = screen.bottom() - at.bottom();
    const int above = at.top() - screen.top();
    const bool down = below >= std::min(kPopupSize.height(), above);
    QSize size(std::max(kPopupSize.width(), anchor.width()), std::min(kPopupSize.height(), down ? below : above));
    size = size.boundedTo(screen.size());
    const int left = std::clamp(at.right() + 1 - size.width(), screen.left(), screen.right() + 1 - size.width());
    setGeometry({QPoint(left, down ? at.bottom() + 1 : at.top() - size.height()), size});
}

void AttributePicker::select(int row) {
    const QModelIndex index = catalogue_->index(row);
    list_->setCurrentIndex(index);
    if (!index.isValid()) {
        return;
    }
    // Includes the heading above the first attribute of a group.
    if (row > 0 && catalogue_->isHeading(row - 1)) {
        list_->scrollTo(catalogue_->index(row - 1));
    }
    list_->scrollTo(index);
}

void AttributePicker::accept(const QModelIndex& index) {
    if (!index.isValid() || catalogue_->isHeading(index.row())) {
        return;
    }
    const AttributeId id = catalogue_->attribute(index.row());
    hide();
    emit chosen(id);
}

bool AttributePicker::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) {
        return QFrame::eventFilter(watched, event);
    }
    int row = list_->currentIndex().row();
    const auto move = [&](int steps) {
        const int step = steps > 0 ? 1 : -1;
        for (int i = 0; i < std::abs(steps); ++i) {
            row = catalogue_->nextRow(row, step);
        }
        select(row);
        return true;
    };
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down:
        return move(1);
    case Qt::Key_Up:
        return move(-1);
    case Qt::Key_PageDown:
        return move(kPageRows);
    case Qt::Key_PageUp:
        return move(-kPageRows);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        accept(list_->currentIndex());
        return true;
    case Qt::Key_Escape:
        hide();
        return true;
    default:
        return false;
    }
}

AttributeButton::AttributeButton(QWidget* parent) : QPushButton(parent), picker_(new AttributePicker(this)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(this, &QPushButton::clicked, this, [this] { open(); });
    connect(picker_, &AttributePicker::chosen, this, &AttributeButton::chosen);
}

void AttributeButton::setAttributeId(AttributeId id) {
    if (id != id_ || text().isEmpty()) { // panels call this on every change
        id_ = id;
        refresh();
    }
}

void AttributeButton::refresh() {
    setText(vm::attributeTitle(id_));
    explain(this, tr("Attribute: %1").arg(text()), vm::attributeDetails(id_));
    update();
}

void AttributeButton::open(const QString& query) { picker_->popUp(*this, id_, query); }

QSize AttributeButton::sizeHint() const {
    QStyleOptionComboBox option;
    option.initFrom(this);
    const QSize text(fontMetrics().horizontalAdvance(QStringLiteral("Bounding box diagonal")), fontMetrics().height());
    return style()->sizeFromContents(QStyle::CT_ComboBox, &option, text, this);
}

QSize AttributeButton::minimumSizeHint() const { return {80, sizeHint().height()}; }

void AttributeButton::paintEvent(QPaintEvent*) {
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    option.initFrom(this);
    option.state |= isDown() ? QStyle::State_Sunken : QStyle::State_Raised;
    option.subControls = QStyle::SC_All;
    option.currentText = text();
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

bool AttributeButton::event(QEvent* event) {
    // Letters start a search and must not trigger shortcuts of the window.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool plain = (key->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == Qt::NoModifier;
        if (plain && !key->text().isEmpty() && key->text().at(0).isLetter()) {
            event->accept();
            return true;
        }
    }
    return QPushButton::event(event);
}

void AttributeButton::keyPressEvent(QKeyEvent* event) {
    const bool letter = !event->text().isEmpty() && event->text().at(0).isLetter() &&
                        (event->modifiers() & ~Qt::ShiftModifier) == Qt::NoModifier;
    if (letter) {
        open(event->text());
    } else if (event->key() == Qt::Key_Down || event->key() == Qt::Key_F4 || event->key() == Qt::Key_Return ||
               event->key() == Qt::Key_Enter) {
        open();
    } else {
        QPushButton::keyPressEvent(event);
    }
}

} // namespace pollard::app
