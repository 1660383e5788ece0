#pragma once

#include "widgets/picture_bar.hpp"

class QAction;

namespace pollard::vm {
class CarriedFilter;
class EarlierFilters;
class EmptyResult;
class WholeFilterViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// A bar over the picture with buttons to keep or clear the filter carried over from another picture. All must outlive
/// it.
[[nodiscard]] PictureBar* makeCarriedFilterBar(vm::CarriedFilter& carried, vm::EarlierFilters& earlier,
                                               QWidget& picture);

/// A bar over a result without contents, with its reason and buttons against it. Hidden while a carried filter is
/// noticed. All must outlive it.
[[nodiscard]] PictureBar* makeEmptyResultBar(vm::EmptyResult& empty, vm::CarriedFilter& carried,
                                             vm::EarlierFilters& earlier, QWidget& picture);

/// A bar over a part or a reduced version of a picture with a filter, with a button for @p filterWhole. All must
/// outlive it.
[[nodiscard]] PictureBar* makePreviewBar(vm::WholeFilterViewModel& whole, QAction& filterWhole, QWidget& picture);

} // namespace pollard::app
