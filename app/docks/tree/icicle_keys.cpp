#include "docks/tree/icicle_keys.hpp"

#include "vm/tree/chain_view_model.hpp"
#include "vm/tree/icicle_view_model.hpp"

#include <QKeyEvent>

#include <algorithm>
#include <array>

namespace pollard::app {

namespace {

constexpr double kKeyZoom = 1.5;

constexpr std::array kKeys{Qt::Key_Up,     Qt::Key_Down,  Qt::Key_Left,   Qt::Key_Right,
                           Qt::Key_Return, Qt::Key_Enter, Qt::Key_Escape, Qt::Key_Backspace,
                           Qt::Key_Home,   Qt::Key_Plus,  Qt::Key_Equal,  Qt::Key_Minus};

void walk(vm::IcicleViewModel& icicle, vm::ChainViewModel& chain, int key) {
    if (!chain.isHeld()) {
        chain.holdNode(chain.node().value_or(icicle.focusNode()));
    } else if (key == Qt::Key_Up) {
        chain.toParent();
    } else if (key == Qt::Key_Down) {
        chain.toChild();
    } else {
        chain.toSibling(key == Qt::Key_Left ? -1 : 1);
    }
    icicle.reveal();
}

} // namespace

bool isIcicleKey(const QKeyEvent& event) {
    const bool plain = (event.modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) == Qt::NoModifier;
    return plain && std::ranges::find(kKeys, event.key()) != kKeys.end();
}

bool pressIcicleKey(vm::IcicleViewModel& icicle, vm::ChainViewModel& chain, int key) {
    if (!icicle.frame()) {
        return false;
    }
    switch (key) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
        walk(icicle, chain, key);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (const auto node = chain.node()) {
            icicle.focus(*node);
        }
        return true;
    case Qt::Key_Escape:
        chain.letGo();
        return true;
    case Qt::Key_Backspace:
        icicle.back();
        return true;
    case Qt::Key_Home:
        icicle.focusCrumb(0);
        return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        icicle.zoom({0.5, 0.5}, kKeyZoom, 1);
        return true;
    case Qt::Key_Minus:
        icicle.zoom({0.5, 0.5}, 1 / kKeyZoom, 1);
        return true;
    default:
        return false;
    }
}

} // namespace pollard::app
