# pollard_embed_presets(OUT): embeds the recipes of resources/presets as text in a source of core, so that both programs
# need no files for them. Sets OUT to that source.
function(pollard_embed_presets out)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/resources/presets/*.json)
  list(SORT files)
  set(entries "")
  foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME_WE)
    file(READ ${file} text)
    string(APPEND entries "    PresetText{\"${name}\", R\"recipe(${text})recipe\"},\n")
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/preset_texts.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT [[
#include "recipe/presets.hpp"

#include <array>

namespace pollard {

std::span<const PresetText> presetTexts() noexcept {
    static constexpr std::array kTexts{
@entries@    };
    return kTexts;
}

} // namespace pollard
]])
  set(${out} ${source} PARENT_SCOPE)
endfunction()
