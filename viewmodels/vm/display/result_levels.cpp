#include "vm/display/result_levels.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/image/even_levels.hpp"

#include <optional>
#include <utility>

namespace pollard::vm {

ResultLevels::ResultLevels(DocumentViewModel& document, QObject* parent)
    : QObject(parent), document_(document), counted_([this] { emit changed(); }) {
    rest_.setSingleShot(true);
    rest_.setInterval(kDelay);
    connect(&rest_, &QTimer::timeout, this, &ResultLevels::count);
    connect(&document_, &DocumentViewModel::imageChanged, this, [this] { counted_.clear(); });
    connect(&document_, &DocumentViewModel::sliceChanged, this, &ResultLevels::onTree);
    connect(&document_, &DocumentViewModel::treeChanged, this, &ResultLevels::onTree);
    connect(&document_, &DocumentViewModel::frameReady, this, &ResultLevels::onResult);
    connect(&document_, &DocumentViewModel::resultFetched, this, &ResultLevels::onResult);
}

void ResultLevels::setOfResult(bool result) {
    if (result != ofResult_) {
        ofResult_ = result;
        counted_.clear();
        count();
    }
}

void ResultLevels::onTree() {
    if (ofResult_) {
        return;
    }
    if (document_.shown().input) {
        count();
    } else {
        counted_.clear();
    }
}

void ResultLevels::onResult() {
    if (ofResult_) {
        rest_.start();
    }
}

void ResultLevels::count() {
    rest_.stop();
    const auto image = ofResult_ ? document_.result() : document_.shown().input;
    if (image) { // else resultFetched() follows
        counted_.begin(counted_.value());
        std::optional<ValueMapping> mapping = ofResult_ ? resultMappingOf(document_) : mappingOf(document_);
        counted_.compute([image, valid = document_.shown().valid,
                          mapping = std::move(mapping)](const std::stop_token& stop) {
            return inEvenLevels(countLevels(*image, CountedArea{{}, nullptr, valid.get()}, JobControl(stop)), mapping);
        });
    }
}

} // namespace pollard::vm
