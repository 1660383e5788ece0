#pragma once

#include "shell/models.hpp"

#include <QAction>
#include <QActionGroup>
#include <QObject>
#include <QVector>

namespace pollard::app {

class CanvasActions;
class EarlierActions;
class EditActions;

/// The actions of menus, toolbar and shortcuts, connected to the models. The window connects those that need a dialog.
/// A list: one member for each action, so that menus, toolbar and tests name it.
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
    QAction* six; ///< of volumes, as the next two
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
    QAction* commands; ///< opens the command palette; connected, like those below, by the help menu
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

} // namespace pollard::app
