#pragma once

#include "shell/models.hpp"

#include <QAction>
#include <QActionGroup>
#include <QList>
#include <QObject>
#include <QPointer>
#include <QVector>

namespace pollard::vm {
class EarlierFilters;
class EditHistory;
} // namespace pollard::vm

namespace pollard::app {

class CanvasActions;

/// Undoes and redoes changes that affect a result. The texts of the actions name the change.
class EditActions : public QObject {
    Q_OBJECT

public:
    /// @param history must outlive this
    explicit EditActions(vm::EditHistory& history, QObject* parent = nullptr);

    QAction* undo;
    QAction* redo;

    /// Both actions, in the order of the menu.
    [[nodiscard]] QVector<QAction*> all() const { return {undo, redo}; }

private:
    void showState();

    vm::EditHistory& history_;
};

/// Starts the next filter, goes back to the previous one, removes all, or applies an operator.
class EarlierActions : public QObject {
    Q_OBJECT

public:
    /// @param earlier must outlive this
    explicit EarlierActions(vm::EarlierFilters& earlier, QObject* parent = nullptr);

    QAction* continueFromResult;
    QAction* goBack;
    QAction* clearAll;
    QAction* applyOperator; ///< opens a dialog

    [[nodiscard]] QList<QAction*> all() const { return {continueFromResult, goBack, clearAll, applyOperator}; }

private:
    void showState();

    vm::EarlierFilters& earlier_;
};

/// The actions of menus, toolbar and shortcuts, connected to the models. The window connects the actions that need a
/// dialog. Each action is a member, so that menus, toolbar and tests can name it.
class Actions : public QObject {
    Q_OBJECT

public:
    /// @param models must outlive this
    explicit Actions(Models& models, QObject* parent = nullptr);

    QAction* open;
    QAction* openFolder;
    QAction* openRaw;
    QAction* save;
    QAction* filterWhole; ///< enabled by addChunkFilter()
    QAction* filterVisible;
    QAction* backToOverview;
    QAction* chooseSize;
    QAction* saveAllPages;
    QAction* preferences;
    QAction* close;
    QAction* quit;
    QAction* maxTree;
    QAction* minTree;
    QAction* four;
    QAction* eight;
    QAction* six; ///< for volumes, like the next two
    QAction* eighteen;
    QAction* twentySix;
    QAction* nextPage;
    QAction* previousPage;
    QAction* firstPage;
    QAction* lastPage;
    QList<QAction*> axisSteps; ///< back and forth along the second and third axis of a stack
    QAction* live;
    QAction* apply;
    QAction* reset;
    QAction* split;
    QAction* blink;
    QAction* flip;
    QAction* difference;
    QAction* showOriginal;
    QAction* fit;
    QAction* actualSize;
    QAction* zoomIn;
    QAction* zoomOut;
    QAction* smooth;
    QAction* marks;
    QAction* inverted;
    QAction* sameForAll;
    QAction* autoWindow;
    QAction* fullWindow;
    QAction* fullScreen;
    QAction* nextPart;
    QAction* previousPart;
    QAction* commands; ///< opens the command palette; the help menu connects this action and the following ones
    QAction* help;
    QAction* firstSteps;
    QAction* shortcuts;
    QAction* about;
    QAction* aboutQt;

    QActionGroup* depths; ///< volume, pages and projections of slices
    QActionGroup* colourMaps;
    QActionGroup* toneCurves;
    QActionGroup* themes;

    EditActions* edit;       ///< undo and redo
    EarlierActions* earlier; ///< chains filters
    CanvasActions* canvas;   ///< overlays, regions, copies of the view

private:
    QAction* make(const QString& objectName, const QString& text, const QString& toolTip, const QString& icon = {},
                  const QList<QKeySequence>& shortcuts = {});
    QAction* makeToggle(const QString& objectName, const QString& text, const QString& toolTip,
                        const QString& icon = {}, const QList<QKeySequence>& shortcuts = {});
    void makeFileActions();
    void makeImageActions();
    void makeStackActions();
    void makeViewActions();
    void makeDisplayActions();
    void makeHelpActions();
    void makeChoices();
    void connectImage();
    void connectView();
    void connectDisplay();
    void showState();
    void showDisplayState();
    void showSwatches();

    Models& models_;
};

/// Groups edits into entries of the history. One entry has all edits between press and release of a button, while a
/// key is held, or while the wheel turns over one control.
class EditGestures : public QObject {
    Q_OBJECT

public:
    /// Filters all events of the program. @param history must outlive this
    explicit EditGestures(vm::EditHistory& history, QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void begin();
    void endLater();

    vm::EditHistory& history_;
    QPointer<QObject> wheeled_; ///< the control under the turning wheel
};

} // namespace pollard::app
