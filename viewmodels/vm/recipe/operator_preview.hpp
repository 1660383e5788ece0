#pragma once

#include "vm/base/async_result.hpp"
#include "vm/recipe/window_recipe.hpp"

#include "image/image.hpp"
#include "operators/operator_spec.hpp"
#include "tree/component_tree.hpp"

#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>

namespace pollard::vm {

class OperatorViewModel;

/// What an operator makes of the displayed result.
struct PreviewedImage {
    std::shared_ptr<const Image> image; ///< of a volume all slices
    std::uint16_t bright = 0;           ///< level of lengths that is white if 0 is black; 0: other values than lengths
};

/// The result of an operator before it is applied, computed on another thread and anew after each change of the
/// operator or of the displayed result, while it is on.
class OperatorPreview : public QObject {
    Q_OBJECT

public:
    /// All must outlive this.
    OperatorPreview(const OperatorViewModel& operators, const FilterModels& models, QObject* parent = nullptr);

    [[nodiscard]] bool isOn() const noexcept { return on_; }
    void setOn(bool on);
    /// While a newer one is computed, the last one. Null: there is none, also after an operator is applied until
    /// another one is chosen, and of a filtered volume, of which the window has only a slice.
    [[nodiscard]] std::shared_ptr<const PreviewedImage> shown() const { return image_.value(); }
    /// Why there is none, after an error of the work; else empty.
    [[nodiscard]] QString problem() const;
    [[nodiscard]] bool isComputing() const noexcept { return image_.state() == AsyncState::computing; }
    /// Call before the operator is applied: the preview stays until the result is displayed.
    void holdForResult();

signals:
    void changed(); ///< shown(), problem() or isComputing()

private:
    /// The image that the operator gets; null: it is not in main memory.
    [[nodiscard]] std::shared_ptr<const Image> input() const;
    void update();

    const OperatorViewModel& operators_;
    FilterModels models_;
    bool on_ = false;
    std::optional<OperatorSpec> applied_;         ///< the last one, until another operator is chosen
    std::weak_ptr<const ComponentTree> replaced_; ///< by the result of applied_
    AsyncResult<PreviewedImage> image_;           ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::vm
