#include "app/jobs/person.hpp"

#include "widgets/panel_parts.hpp"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QScrollArea>
#include <QStatusBar>
#include <QTabBar>
#include <QTableView>
#include <QTextDocumentFragment>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <set>
#include <utility>

namespace pollard::app {
namespace {

constexpr int kLayout = 50; ///< ms

/// A text without mnemonics.
QString plain(QString text) {
    if (Qt::mightBeRichText(text)) {
        text = QTextDocumentFragment::fromHtml(text).toPlainText();
    }
    return text.remove(u'&');
}

QString textOf(const QWidget& widget) {
    if (const auto* elided = qobject_cast<const ElidedLabel*>(&widget)) {
        return elided->fullText();
    }
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
        return plain(label->text());
    }
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) {
        return plain(button->text());
    }
    if (const auto* field = qobject_cast<const QLineEdit*>(&widget)) {
        return field->text();
    }
    const auto* box = qobject_cast<const QComboBox*>(&widget);
    return box != nullptr ? box->currentText() : QString();
}

bool waitFor(const std::function<bool()>& isTrue) {
    Person::endIfFailed();
    return QTest::qWaitFor(isTrue, kPatience);
}

/// Waits until the window of a control is on the screen and no layout has moved the control for some time.
bool isAtRest(const QWidget& control) {
    QRect before;
    QElapsedTimer rest;
    return waitFor([&] {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        const QWidget& window = *control.window();
        const QRect place(control.mapTo(&window, QPoint()), control.size());
        if (std::exchange(before, place) != place) {
            rest.start();
        }
        return window.windowHandle() != nullptr && window.windowHandle()->isExposed() && rest.hasExpired(kLayout);
    });
}

/// Takes an entry of an open menu; may be called in a slot. By the keyboard: Qt 6.8 closes a menu that a click sent to
/// a widget has opened at the next such click.
void takeEntry(QMenu& menu, const QString& entry) {
    ASSERT_TRUE(QTest::qWaitFor([&] { return menu.isVisible(); }, kPatience)) << "the menu of " << entry.toStdString();
    for (QAction* action : menu.actions()) {
        if (plain(action->text()) == entry) {
            ASSERT_TRUE(action->isEnabled()) << entry.toStdString();
            menu.setActiveAction(action);
            QTest::keyClick(&menu, Qt::Key_Return);
            return;
        }
    }
    menu.close();
    FAIL() << "no entry " << entry.toStdString();
}

} // namespace

void Person::endIfFailed() {
    if (::testing::Test::HasFailure()) {
        throw ::testing::AssertionException(
            {::testing::TestPartResult::kFatalFailure, __FILE__, __LINE__, "a step failed"});
    }
}

void Person::open(const QString& path, bool keep) {
    answer(path);
    menu({QStringLiteral("File"), QStringLiteral("Open…")});
    if (keep) {
        keepWork();
    }
    part_ = &test_.window;
    ASSERT_TRUE(waitFor([&] { return test_.models.document.path() == path; }))
        << test_.errors.texts.join(u'\n').toStdString();
    ASSERT_TRUE(test_.settle());
}

void Person::keepWork() {
    QMessageBox* question = nullptr;
    ASSERT_TRUE(waitFor([&] {
        for (auto* each : test_.window.findChildren<QMessageBox*>()) {
            question = each->isVisible() ? each : question;
        }
        return question != nullptr;
    })) << "no question about the work";
    part_ = question;
    press(QStringLiteral("Keep for next time"));
    part_ = &test_.window;
}

void Person::menu(const QStringList& entries) {
    endIfFailed();
    QMenuBar& bar = *test_.window.menuBar();
    clicks_ += static_cast<int>(entries.size());
    const auto& menus = bar.actions();
    const auto found = std::find_if(menus.begin(), menus.end(),
                                    [&](const QAction* each) { return plain(each->text()) == entries.front(); });
    ASSERT_NE(found, menus.end()) << entries.front().toStdString();
    QTest::mouseClick(&bar, Qt::LeftButton, Qt::NoModifier, bar.actionGeometry(*found).center());
    QMenu* open = (*found)->menu();
    for (qsizetype i = 1; i < entries.size(); ++i) {
        const auto& actions = open->actions();
        const auto next = std::find_if(actions.begin(), actions.end(),
                                       [&](const QAction* each) { return plain(each->text()) == entries[i]; });
        ASSERT_NE(next, actions.end()) << entries[i].toStdString();
        QMenu* inner = (*next)->menu();
        takeEntry(*open, entries[i]);
        open = inner;
    }
}

void Person::panel(const QString& title) {
    QDockWidget* dock = nullptr;
    for (auto* each : test_.window.findChildren<QDockWidget*>()) {
        dock = each->windowTitle() == title ? each : dock;
    }
    ASSERT_NE(dock, nullptr) << title.toStdString();
    if (!isSeen(*dock)) {
        QTabBar* tabs = nullptr;
        int tab = -1;
        for (auto* bar : test_.window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
            for (int i = 0; bar->isVisible() && i < bar->count(); ++i) {
                if (bar->tabText(i) == title) {
                    tabs = bar;
                    tab = i;
                }
            }
        }
        if (tabs != nullptr && tabs->rect().contains(tabs->tabRect(tab).center())) {
            ++clicks_;
            QTest::mouseClick(tabs, Qt::LeftButton, Qt::NoModifier, tabs->tabRect(tab).center());
        } else {
            menu({QStringLiteral("View"), QStringLiteral("Panels"), title});
        }
    }
    ASSERT_TRUE(waitFor([&] { return isSeen(*dock); })) << title.toStdString() << " does not come";
    part_ = dock;
}

void Person::window(const QString& title) {
    ASSERT_TRUE(waitFor([&] {
        for (QWidget* each : QApplication::topLevelWidgets()) {
            if (each->isVisible() && each->windowTitle().startsWith(title)) {
                part_ = each;
                return true;
            }
        }
        return false;
    })) << title.toStdString();
}

void Person::answer(const QString& path) {
    auto* timer = new QTimer(&test_.window);
    ++clicks_;
    QElapsedTimer waited;
    waited.start();
    QObject::connect(timer, &QTimer::timeout, timer, [timer, path, waited] {
        auto* modal = QApplication::activeModalWidget();
        auto* dialog = qobject_cast<QFileDialog*>(modal);
        if (dialog == nullptr && waited.elapsed() < kPatience) {
            return;
        }
        timer->deleteLater();
        if (dialog == nullptr) {
            ADD_FAILURE() << "no file dialog for " << path.toStdString();
            if (modal != nullptr) {
                modal->close();
            }
            return;
        }
        auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        name->setText(path); // as pasted: typing opens a list of completions
        for (QAbstractButton* button : dialog->findChild<QDialogButtonBox*>()->buttons()) {
            if (qobject_cast<QDialogButtonBox*>(button->parentWidget())->buttonRole(button) ==
                QDialogButtonBox::AcceptRole) {
                QTest::mouseClick(button, Qt::LeftButton);
                return;
            }
        }
        ADD_FAILURE() << "the file dialog cannot be accepted";
        dialog->reject();
    });
    timer->start(20);
}

void Person::confirm(const QString& button) {
    auto* timer = new QTimer(&test_.window);
    ++clicks_;
    QElapsedTimer waited;
    waited.start();
    QObject::connect(timer, &QTimer::timeout, timer, [timer, button, waited] {
        auto* modal = QApplication::activeModalWidget();
        if (modal != nullptr && qobject_cast<QFileDialog*>(modal) == nullptr) {
            for (auto* each : modal->findChildren<QAbstractButton*>()) {
                if (each->isVisible() && plain(each->text()) == button) {
                    timer->deleteLater();
                    QTest::mouseClick(each, Qt::LeftButton);
                    return;
                }
            }
        }
        if (waited.elapsed() >= kPatience) {
            timer->deleteLater();
            ADD_FAILURE() << "no dialog with the button " << button.toStdString();
            if (modal != nullptr) {
                modal->close();
            }
        }
    });
    timer->start(20);
}

QWidget* Person::find(const QString& name) {
    std::set<QWidget*> found;
    const auto isThere = [&] {
        found.clear();
        for (auto* each : part_->findChildren<QWidget*>()) {
            if (!each->isVisible()) {
                continue;
            }
            const auto* caption = qobject_cast<QLabel*>(each);
            if (caption != nullptr && caption->buddy() != nullptr && caption->buddy()->isVisible() &&
                textOf(*each) == name) {
                found.insert(caption->buddy());
            }
            const auto* button = qobject_cast<QAbstractButton*>(each);
            if (each->focusPolicy() != Qt::NoFocus &&
                (each->accessibleName() == name || (button != nullptr && textOf(*button) == name))) {
                found.insert(each);
            }
        }
        return found.size() == 1;
    };
    if (!waitFor(isThere)) {
        ADD_FAILURE() << found.size() << " controls are called " << name.toStdString() << " among\n"
                      << texts().toStdString();
        return nullptr;
    }
    QWidget* control = *found.begin();
    for (QWidget* around = control->parentWidget(); around != nullptr; around = around->parentWidget()) {
        if (auto* scroll = qobject_cast<QScrollArea*>(around)) {
            scroll->ensureWidgetVisible(control);
        }
    }
    EXPECT_TRUE(waitFor([&] { return control->isEnabled(); })) << name.toStdString();
    return control;
}

void Person::press(const QString& button) {
    if (QWidget* control = find(button)) {
        ASSERT_TRUE(isAtRest(*control)) << button.toStdString();
        ++clicks_;
        const bool isBox = control->inherits("QCheckBox"); // only its indicator and its text are clickable
        QTest::mouseClick(control, Qt::LeftButton, Qt::NoModifier,
                          isBox ? QPoint(8, control->height() / 2) : control->rect().center());
    }
}

void Person::press(const QString& button, const QString& entry) {
    auto* control = qobject_cast<QToolButton*>(find(button));
    ASSERT_NE(control, nullptr) << button.toStdString();
    QMenu* menu = control->menu();
    clicks_ += 2;
    // Queued, because the click blocks until the menu closes.
    QTimer::singleShot(0, control, [menu, entry] { takeEntry(*menu, entry); });
    QTest::mouseClick(control, Qt::LeftButton);
}

void Person::choose(const QString& box, const QString& entry) {
    auto* control = qobject_cast<QComboBox*>(find(box));
    ASSERT_NE(control, nullptr) << box.toStdString();
    const int row = control->findText(entry);
    ASSERT_GE(row, 0) << "no " << entry.toStdString() << " in " << box.toStdString();
    clicks_ += 2;
    control->setFocus(Qt::TabFocusReason);
    while (control->currentIndex() != row) {
        const int before = control->currentIndex();
        QTest::keyClick(control, before < row ? Qt::Key_Down : Qt::Key_Up);
        ASSERT_NE(control->currentIndex(), before) << entry.toStdString();
    }
}

void Person::type(const QString& field, const QString& text) {
    QWidget* control = find(field);
    ASSERT_NE(control, nullptr);
    auto* spin = qobject_cast<QAbstractSpinBox*>(control);
    auto* line = spin != nullptr ? spin->findChild<QLineEdit*>() : qobject_cast<QLineEdit*>(control);
    ASSERT_NE(line, nullptr) << field.toStdString() << " is no field";
    ++clicks_;
    QTest::mouseClick(line, Qt::LeftButton);
    QTest::keyClick(line, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(line, text);
    QTest::keyClick(line, part_->inherits("QDialog") ? Qt::Key_Tab : Qt::Key_Return); // Return accepts a dialog
}

void Person::key(int key, Qt::KeyboardModifiers modifiers) {
    QWidget* focus = QApplication::focusWidget();
    QTest::keyClick(focus != nullptr ? focus : part_, static_cast<Qt::Key>(key), modifiers);
}

QPoint Person::onWindow(QPointF place) const {
    return test_.inWindow(test_.window.canvas(), test_.models.display.view().toView(place));
}

void Person::pointAt(QPointF place) {
    ASSERT_TRUE(test_.settle());
    test_.move(onWindow(place) + QPoint(1, 0));
    test_.move(onWindow(place));
}

void Person::drag(QPointF from, QPointF to) {
    ASSERT_TRUE(test_.settle());
    ++clicks_;
    test_.press(onWindow(from));
    test_.move(onWindow((from + to) / 2));
    test_.move(onWindow(to));
    test_.release(onWindow(to));
}

void Person::enclose(const QString& chart, double share) {
    auto* view = qobject_cast<QAbstractScrollArea*>(find(chart));
    ASSERT_NE(view, nullptr) << chart.toStdString();
    ++clicks_;
    QWidget* surface = view->viewport();
    const QRectF all(surface->rect());
    QRectF part(0, 0, all.width() * share, all.height() * share);
    part.moveCenter(all.center());
    QTest::mousePress(surface, Qt::LeftButton, Qt::NoModifier, part.topLeft().toPoint());
    for (const QPointF& corner : {part.topRight(), part.bottomRight(), part.bottomLeft()}) {
        QTest::mouseMove(surface, corner.toPoint());
    }
    QTest::mouseRelease(surface, Qt::LeftButton, Qt::NoModifier, part.bottomLeft().toPoint());
    QEvent leave(QEvent::Leave); // the pointer goes elsewhere
    QApplication::sendEvent(view, &leave);
}

QString Person::texts() const {
    QStringList all;
    for (const auto* each : part_->findChildren<QWidget*>()) {
        const QString text = each->isVisible() ? textOf(*each) : QString();
        if (!text.isEmpty()) {
            all << text;
        }
    }
    if (const auto* main = qobject_cast<const QMainWindow*>(part_)) {
        all << main->findChild<QStatusBar*>()->currentMessage();
    }
    return all.join(u'\n');
}

void Person::reads(const QString& words) {
    EXPECT_TRUE(waitFor([&] { return texts().contains(words); })) << words.toStdString() << " is not among\n"
                                                                  << texts().toStdString();
}

QString Person::valueOf(const QString& name) {
    const QWidget* control = find(name);
    return control != nullptr ? textOf(*control) : QString();
}

bool Person::isEnabled(const QString& name) {
    const auto controls = part_->findChildren<QAbstractButton*>();
    return std::any_of(controls.begin(), controls.end(), [&](const QAbstractButton* each) {
        return each->isVisible() && each->isEnabled() && (each->accessibleName() == name || textOf(*each) == name);
    });
}

QList<QStringList> Person::table() {
    QTableView* view = nullptr;
    EXPECT_TRUE(waitFor([&] {
        for (auto* each : part_->findChildren<QTableView*>()) {
            view = each->isVisible() ? each : view;
        }
        return view != nullptr;
    }));
    endIfFailed();
    QList<QStringList> rows;
    const QAbstractItemModel& model = *view->model();
    rows << QStringList();
    for (int column = 0; column < model.columnCount(); ++column) {
        rows.front() << model.headerData(column, Qt::Horizontal).toString();
    }
    for (int row = 0; row < model.rowCount(); ++row) {
        rows << QStringList();
        for (int column = 0; column < model.columnCount(); ++column) {
            rows.back() << model.index(row, column).data().toString();
        }
    }
    return rows;
}

} // namespace pollard::app
