#include "overlays/tools/chain_tool.hpp"

#include "vm/tree/chain_view_model.hpp"

namespace pollard::app {

bool ChainTool::wantsKey(const QKeyEvent& event) const {
    if (!chain_.isHeld() || (event.modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier) {
        return false;
    }
    switch (event.key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Escape:
        return true;
    default:
        return false;
    }
}

void ChainTool::key(const QKeyEvent& event) {
    switch (event.key()) {
    case Qt::Key_Up:
        chain_.toParent();
        break;
    case Qt::Key_Down:
        chain_.toChild();
        break;
    case Qt::Key_Left:
        chain_.toSibling(-1);
        break;
    case Qt::Key_Right:
        chain_.toSibling(1);
        break;
    default:
        chain_.letGo();
        break;
    }
}

} // namespace pollard::app
