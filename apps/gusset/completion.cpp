#include <iostream>

#include "common.hpp"
#include "verb.hpp"

namespace gusset::app {
namespace completion_private {

/// One option or argument as a shell sees it.
struct Item {
  std::vector<std::string> names;  ///< with dashes; empty for an argument
  std::string description, type;
  bool takes_value = false;

  /// "FILE.csv", "RUN.h5", "FOLDER": a path.
  bool path() const {
    return type.find("FILE") != std::string::npos || type.find(".h5") != std::string::npos ||
           type.find(".html") != std::string::npos || type.find(".toml") != std::string::npos ||
           type == "FOLDER";
  }
};

struct VerbItems {
  std::string name, description;
  std::vector<Item> options, arguments;
};

std::vector<VerbItems> read(const CLI::App& root) {
  std::vector<VerbItems> verbs;
  for (const CLI::App* command : root.get_subcommands({})) {
    VerbItems verb{command->get_name(), command->get_description(), {}, {}};
    for (const CLI::Option* option : command->get_options()) {
      Item item;
      item.description = option->get_description();
      item.type = option->get_type_name();
      item.takes_value = option->get_items_expected_max() > 0;
      if (option->get_positional()) {
        item.type = option->get_name(true);
        verb.arguments.push_back(item);
        continue;
      }
      for (const std::string& name : option->get_snames()) item.names.push_back("-" + name);
      for (const std::string& name : option->get_lnames()) item.names.push_back("--" + name);
      verb.options.push_back(item);
    }
    verbs.push_back(verb);
  }
  return verbs;
}

/// Text between single quotes of a POSIX shell.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string join(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

std::string bash(const std::vector<VerbItems>& verbs) {
  std::vector<std::string> names;
  std::string options, values;
  for (const VerbItems& verb : verbs) {
    names.push_back(verb.name);
    std::vector<std::string> flags, with_value;
    for (const Item& item : verb.options) {
      flags.insert(flags.end(), item.names.begin(), item.names.end());
      if (item.takes_value && !item.path()) {
        with_value.insert(with_value.end(), item.names.begin(), item.names.end());
      }
    }
    options += "    " + verb.name + ") options='" + join(flags) + "' free=' " + join(with_value) + " ' ;;\n";
  }
  return "# bash completion for gusset; made by `gusset completion bash`\n"
         "_gusset() {\n"
         "  local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD-1]}\" options='' "
         "free=''\n"
         "  COMPREPLY=()\n"
         "  if ((COMP_CWORD == 1)); then\n"
         "    COMPREPLY=($(compgen -W '" +
         join(names) +
         " --help --version' -- \"$word\"))\n"
         "    return\n"
         "  fi\n"
         "  case \"${COMP_WORDS[1]}\" in\n" +
         options +
         "  esac\n"
         "  if [[ $word == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
         "  elif [[ \" $free \" == *\" $before \"* ]]; then\n"
         "    return  # a value that only the user knows\n"
         "  elif [[ ${COMP_WORDS[1]} == completion ]]; then\n"
         "    COMPREPLY=($(compgen -W 'bash zsh fish' -- \"$word\"))\n"
         "  else\n"
         "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
         "    if ((COMP_CWORD == 2)); then\n"
         "      COMPREPLY+=($(compgen -W \"$(gusset list 2>/dev/null | awk '{print $1}')\" -- \"$word\"))\n"
         "    fi\n"
         "  fi\n"
         "}\n"
         "complete -o filenames -F _gusset gusset\n";
}

/// Text inside brackets of zsh's _arguments.
std::string bracketed(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh(const std::vector<VerbItems>& verbs) {
  std::string list, cases;
  for (const VerbItems& verb : verbs) {
    list += "    " + quoted(bracketed(verb.name) + ":" + bracketed(verb.description)) + "\n";
    cases += "    " + verb.name + ")\n      _arguments \\\n";
    for (const Item& item : verb.options) {
      for (const std::string& name : item.names) {
        std::string spec = name + "[" + bracketed(item.description) + "]";
        if (item.takes_value)
          spec +=
              ":" + bracketed(item.type.substr(0, item.type.find(':'))) + ":" + (item.path() ? "_files" : "");
        cases += "        " + quoted((item.takes_value ? "*" : "") + spec) + " \\\n";
      }
    }
    for (const Item& item : verb.arguments) {
      const std::string action = verb.name == "completion" ? "(bash zsh fish)"
                                 : item.type == "FILE"     ? "_gusset_experiments"
                                                           : "_files";
      cases += "        " + quoted(":" + bracketed(item.description) + ":" + action) + " \\\n";
    }
    cases += "        && return 0 ;;\n";
  }
  return "#compdef gusset\n# zsh completion for gusset; made by `gusset completion zsh`\n"
         "_gusset_experiments() {\n"
         "  local -a names\n"
         "  names=(${(f)\"$(gusset list 2>/dev/null | awk '{print $1}')\"})\n"
         "  _files\n"
         "  compadd -a names\n"
         "}\n"
         "_gusset() {\n"
         "  local -a verbs\n"
         "  verbs=(\n" +
         list +
         "  )\n"
         "  if ((CURRENT == 2)); then\n"
         "    _describe verb verbs\n"
         "    return\n"
         "  fi\n"
         "  local verb=$words[2]\n"
         "  shift words\n"
         "  ((CURRENT--))\n"
         "  case $verb in\n" +
         cases +
         "  esac\n}\n"
         "if [ \"$funcstack[1]\" = _gusset ]; then _gusset \"$@\"; else compdef _gusset gusset; fi\n";
}

std::string fish(const std::vector<VerbItems>& verbs) {
  std::string out = "# fish completion for gusset; made by `gusset completion fish`\n";
  for (const VerbItems& verb : verbs) {
    out += "complete -c gusset -f -n __fish_use_subcommand -a " + verb.name + " -d " +
           quoted(verb.description) + "\n";
    const std::string when = "complete -c gusset -n '__fish_seen_subcommand_from " + verb.name + "'";
    for (const Item& item : verb.options) {
      out += when;
      for (const std::string& name : item.names) {
        out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      if (item.takes_value) out += item.path() ? " -r -F" : " -x";
      out += " -d " + quoted(item.description) + "\n";
    }
    for (const Item& item : verb.arguments) {
      if (item.type == "FILE") out += when + " -a \"(gusset list 2>/dev/null | awk '{print \\$1}')\"\n";
    }
    if (verb.name == "completion") out += when + " -f -a 'bash zsh fish'\n";
  }
  return out;
}

std::function<int()> add(CLI::App& command) {
  auto shell = std::make_shared<std::string>();
  command.add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  return [shell, &command] {
    const std::vector<VerbItems> verbs = read(*command.get_parent());
    std::cout << (*shell == "bash" ? bash(verbs) : *shell == "zsh" ? zsh(verbs) : fish(verbs));
    return good;
  };
}

}  // namespace completion_private

const Verb completion_verb{
    "completion", "completion of verbs, options and names for your shell",
    "Prints a script made from the program's own table of verbs. bash: put it into "
    "~/.local/share/bash-completion/completions/gusset; zsh: into a file _gusset on $fpath; fish: into "
    "~/.config/fish/completions/gusset.fish.\n"
    "Examples: gusset completion bash\n"
    "          source <(gusset completion bash)",
    completion_private::add};

}  // namespace gusset::app
