#pragma once

#include "widgets/picture_bar.hpp"

namespace pollard::vm {
class CarriedFilter;
class EarlierFilters;
class EmptyResult;
} // namespace pollard::vm

namespace pollard::app {

class Actions;
struct Models;

/// A bar over the picture with buttons to keep or clear the filter carried over from another picture. All must outlive
/// it.
[[nodiscard]] PictureBar* makeCarriedFilterBar(vm::CarriedFilter& carried, vm::EarlierFilters& earlier,
                                               QWidget& picture);

/// A bar over a result without contents, with its reason and buttons against it. Hidden while a carried filter is
/// noticed. All must outlive it.
[[nodiscard]] PictureBar* makeEmptyResultBar(vm::EmptyResult& empty, vm::CarriedFilter& carried,
                                             vm::EarlierFilters& earlier, QWidget& picture);

/// A bar over a reduced version of a picture, a part with a filter, or a part of an overview, with buttons for the
/// exact filter of the visible region or the whole picture, the way back and other levels. All must outlive it.
[[nodiscard]] PictureBar* makePreviewBar(Models& models, const Actions& actions, QWidget& picture);

} // namespace pollard::app
