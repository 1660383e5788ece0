#include "app/support/ui_audit.hpp"

#include "window/dialogs/command_palette.hpp"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFormLayout>
#include <QGroupBox>
#include <QHash>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSet>
#include <QStyle>
#include <QTabBar>
#include <QTabWidget>
#include <QTextDocument>
#include <QTextEdit>
#include <QToolButton>

#include <algorithm>

namespace pollard::testing {
namespace {

/// Without marks of letters, dots and shortcuts.
QString plain(QString text) {
    text.remove(u'&').remove(u'…');
    static const QRegularExpression kShortcut(QStringLiteral(" \\([^()\n]*\\)$"));
    return text.remove(kShortcut).trimmed();
}

QString textOf(const QWidget& widget) {
    const auto* button = qobject_cast<const QAbstractButton*>(&widget);
    return button != nullptr ? button->text() : QString();
}

QString nameOf(const QWidget& widget) {
    QString name = widget.objectName();
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) {
        name += QStringLiteral(" \"%1\"").arg(button->text());
    } else if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
        name += QStringLiteral(" \"%1\"").arg(label->text().left(60));
    }
    for (const QWidget* around = widget.parentWidget(); around != nullptr; around = around->parentWidget()) {
        if (!around->objectName().isEmpty() && !around->objectName().startsWith(QLatin1String("qt_"))) {
            return QStringLiteral("%1 %2 in %3")
                .arg(QLatin1String(widget.metaObject()->className()), name, around->objectName());
        }
    }
    return QStringLiteral("%1 %2").arg(QLatin1String(widget.metaObject()->className()), name);
}

/// Internal parts of Qt's controls, which inherit names and tooltips.
bool isPartOfControl(const QWidget& widget) {
    const QWidget* parent = widget.parentWidget();
    if (qobject_cast<const QHeaderView*>(&widget) != nullptr || qobject_cast<const QScrollBar*>(&widget) != nullptr ||
        widget.inherits("QComboBoxPrivateContainer") || widget.inherits("QComboBoxListView") ||
        widget.inherits("QDockWidgetTitleButton") || widget.inherits("QToolBarExtension") ||
        widget.inherits("QMainWindowTabBar") || widget.inherits("QLineEditIconButton") ||
        qobject_cast<const QMenu*>(&widget) != nullptr) {
        return true;
    }
    if (qobject_cast<const QLineEdit*>(&widget) != nullptr &&
        (qobject_cast<const QAbstractSpinBox*>(parent) != nullptr ||
         qobject_cast<const QComboBox*>(parent) != nullptr)) {
        return true;
    }
    if (const auto* area = qobject_cast<const QAbstractScrollArea*>(parent)) {
        return area->viewport() == &widget;
    }
    return qobject_cast<const QTabBar*>(&widget) != nullptr || qobject_cast<const QToolButton*>(&widget) != nullptr
               ? qobject_cast<const QTabBar*>(parent) != nullptr || qobject_cast<const QTabWidget*>(parent) != nullptr
               : false;
}

bool isControl(const QWidget& widget) {
    if (isPartOfControl(widget) || !widget.isVisible() || widget.isWindow()) {
        return false;
    }
    if (qobject_cast<const QLabel*>(&widget) != nullptr) {
        return false;
    }
    const bool takesTab = (widget.focusPolicy() & Qt::TabFocus) != 0;
    return takesTab || qobject_cast<const QAbstractButton*>(&widget) != nullptr ||
           qobject_cast<const QAbstractSlider*>(&widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr ||
           qobject_cast<const QAbstractItemView*>(&widget) != nullptr ||
           qobject_cast<const QComboBox*>(&widget) != nullptr || qobject_cast<const QLineEdit*>(&widget) != nullptr;
}

template <class Wrong> QStringList controlsThat(const QWidget& part, Wrong wrong) {
    QStringList found;
    for (const QWidget* widget : part.findChildren<QWidget*>()) {
        if (isControl(*widget) && wrong(*widget)) {
            found << nameOf(*widget);
        }
    }
    return found;
}

bool hasBuddy(const QWidget& widget) {
    for (const QLabel* label : widget.window()->findChildren<QLabel*>()) {
        if (label->buddy() == &widget && !label->text().isEmpty()) {
            return true;
        }
    }
    return false;
}

bool standsInButtonBox(const QWidget& widget) {
    return qobject_cast<const QDialogButtonBox*>(widget.parentWidget()) != nullptr;
}

int neededWidth(const QWidget& widget) {
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
        if (label->wordWrap()) {
            // Word-wrapped: the longest word must fit.
            QTextDocument words;
            words.setDefaultFont(label->font());
            words.setDocumentMargin(0);
            words.setHtml(label->text());
            int longest = 0;
            for (const QString& word : words.toPlainText().split(u' ')) {
                longest = std::max(longest, label->fontMetrics().horizontalAdvance(word.trimmed()));
            }
            return longest;
        }
        return label->sizeHint().width() - 1;
    }
    if (const auto* button = qobject_cast<const QPushButton*>(&widget)) {
        // The size hint may reserve space for longer texts.
        const int icon = button->icon().isNull() ? 0 : button->iconSize().width();
        const int arrow = button->menu() == nullptr
                              ? 0
                              : button->style()->pixelMetric(QStyle::PM_MenuButtonIndicator, nullptr, button);
        return button->fontMetrics().size(Qt::TextShowMnemonic, button->text()).width() + icon + arrow;
    }
    return widget.sizeHint().width() - 1;
}

/// Labels that elide their text; the tooltip has the whole text.
bool elides(const QWidget& widget) { return widget.sizePolicy().horizontalPolicy() == QSizePolicy::Ignored; }

bool isCut(const QWidget& widget) {
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
        if (label->text().isEmpty() || elides(widget)) {
            return false;
        }
        const int height = label->wordWrap() ? label->heightForWidth(label->width()) : label->sizeHint().height();
        return label->width() < neededWidth(*label) || label->height() < height - 1;
    }
    const bool isButton =
        qobject_cast<const QPushButton*>(&widget) != nullptr || qobject_cast<const QCheckBox*>(&widget) != nullptr ||
        qobject_cast<const QRadioButton*>(&widget) != nullptr || qobject_cast<const QToolButton*>(&widget) != nullptr;
    if (isButton) {
        const auto* tool = qobject_cast<const QToolButton*>(&widget);
        const bool iconAlone = tool != nullptr && tool->toolButtonStyle() == Qt::ToolButtonIconOnly;
        const bool hasText = !iconAlone && !qobject_cast<const QAbstractButton*>(&widget)->text().isEmpty();
        return widget.width() < neededWidth(widget) || (hasText && widget.height() < widget.fontMetrics().height());
    }
    if (const auto* box = qobject_cast<const QAbstractSpinBox*>(&widget)) {
        const auto* line = box->findChild<QLineEdit*>();
        return line != nullptr && line->width() < line->fontMetrics().horizontalAdvance(line->displayText());
    }
    return false;
}

QStringList cutHeaders(const QHeaderView& header) {
    QStringList found;
    if (header.orientation() != Qt::Horizontal || !header.isVisible()) {
        return found;
    }
    for (int section = 0; section < header.count(); ++section) {
        const QString title = header.model()->headerData(section, Qt::Horizontal).toString();
        if (!header.isSectionHidden(section) &&
            header.sectionSize(section) < header.fontMetrics().horizontalAdvance(title)) {
            found << QStringLiteral("column \"%1\" of %2").arg(title, nameOf(header));
        }
    }
    return found;
}

} // namespace

QStringList namelessControls(const QWidget& part) {
    return controlsThat(part, [](const QWidget& control) {
        const auto* button = qobject_cast<const QAbstractButton*>(&control);
        const bool hasText = button != nullptr && !button->text().isEmpty();
        return !hasText && control.accessibleName().isEmpty() && !hasBuddy(control);
    });
}

QStringList unexplainedControls(const QWidget& part) {
    return controlsThat(part, [](const QWidget& control) {
        // Close, Cancel and OK need no explanation.
        return !standsInButtonBox(control) &&
               (control.toolTip().isEmpty() || isSameText(control.toolTip(), control.accessibleName()) ||
                isSameText(control.toolTip(), textOf(control)));
    });
}

bool isSameText(const QString& one, const QString& other) {
    return plain(one).compare(plain(other), Qt::CaseInsensitive) == 0;
}

QStringList cutTexts(const QWidget& part) {
    QStringList found;
    for (const QWidget* widget : part.findChildren<QWidget*>()) {
        if (!widget->isVisible() || isPartOfControl(*widget)) {
            continue;
        }
        if (isCut(*widget)) {
            found << QStringLiteral("%1: %2 x %3 px, needs %4 x %5")
                         .arg(nameOf(*widget))
                         .arg(widget->width())
                         .arg(widget->height())
                         .arg(neededWidth(*widget))
                         .arg(widget->sizeHint().height());
        }
    }
    for (const QHeaderView* header : part.findChildren<QHeaderView*>()) {
        found << cutHeaders(*header);
    }
    return found;
}

QStringList unreachableControls(const QWidget& part) {
    QSet<const QWidget*> reached;
    const QWidget* start = part.window();
    for (const QWidget* next = start->nextInFocusChain(); next != start && !reached.contains(next);
         next = next->nextInFocusChain()) {
        reached.insert(next);
    }
    return controlsThat(part, [&reached](const QWidget& control) {
        if (!control.isEnabled()) {
            return false;
        }
        // In a group of radio buttons, Tab goes to the checked one; arrow keys go to the others.
        const auto* button = qobject_cast<const QAbstractButton*>(&control);
        const bool arrows = button != nullptr && button->autoExclusive();
        return !arrows && ((control.focusPolicy() & Qt::TabFocus) == 0 || !reached.contains(&control));
    });
}

QStringList collidingLetters(const QWidget& part) {
    QHash<QString, QString> owners;
    QStringList found;
    for (const QWidget* widget : part.findChildren<QWidget*>()) {
        const auto* label = qobject_cast<const QLabel*>(widget);
        const QString text = label != nullptr && label->buddy() != nullptr ? label->text() : textOf(*widget);
        const QString letter = QKeySequence::mnemonic(text).toString();
        if (!widget->isVisible() || letter.isEmpty()) {
            continue;
        }
        if (owners.contains(letter)) {
            found << QStringLiteral("%1: %2 and %3").arg(letter, owners[letter], text);
        }
        owners.insert(letter, text);
    }
    return found;
}

QStringList collidingLetters(const QList<QAction*>& menu) {
    QHash<QString, QString> owners;
    QStringList found;
    for (const QAction* action : menu) {
        if (action->menu() != nullptr) {
            found << collidingLetters(action->menu()->actions());
        }
        const QString letter = QKeySequence::mnemonic(action->text()).toString();
        if (letter.isEmpty()) {
            continue;
        }
        if (owners.contains(letter)) {
            found << QStringLiteral("%1: %2 and %3").arg(letter, owners[letter], action->text());
        }
        owners.insert(letter, action->text());
    }
    return found;
}

QStringList collidingShortcuts(const QMainWindow& window) {
    QHash<QString, QString> owners;
    QStringList found;
    for (const app::ListedAction& listed : app::actionsOfMenus(*window.menuBar())) {
        const QString name = listed.action->objectName() + u' ' + listed.action->text();
        for (const QKeySequence& key : listed.action->shortcuts()) {
            const QString keys = key.toString();
            if (owners.contains(keys) && owners[keys] != name) {
                found << QStringLiteral("%1: %2 and %3").arg(keys, owners[keys], name);
            }
            owners.insert(keys, name);
        }
    }
    return found;
}

} // namespace pollard::testing
