package githubtest

import "github.com/getkin/kin-openapi/openapi3"

// overlay adds required fields to value and everything in it, by schema.
func overlay(schema *openapi3.Schema, value any, depth int) any {
	schema = flatten(schema, value)
	switch value := value.(type) {
	case map[string]any:
		for name, property := range schema.Properties {
			own, present := value[name]
			switch {
			case present:
				value[name] = overlay(property.Value, own, depth+1)
			case required(schema, name):
				value[name] = synthesize(property.Value, depth+1)
			}
		}
		return value
	case []any:
		if schema.Items != nil {
			for i := range value {
				value[i] = overlay(schema.Items.Value, value[i], depth+1)
			}
		}
		return value
	}
	return value
}

// synthesize returns a minimal value of a schema.
func synthesize(schema *openapi3.Schema, depth int) any {
	if schema.Nullable {
		return nil
	}
	schema = flatten(schema, nil)
	if len(schema.Enum) > 0 {
		return schema.Enum[0]
	}
	switch {
	case schema.Type == nil || schema.Type.Is("object"):
		object := map[string]any{}
		for name, property := range schema.Properties {
			if required(schema, name) && depth < 12 {
				object[name] = synthesize(property.Value, depth+1)
			}
		}
		return object
	case schema.Type.Is("array"):
		return []any{}
	case schema.Type.Is("integer"), schema.Type.Is("number"):
		return 1
	case schema.Type.Is("boolean"):
		return false
	}
	switch schema.Format {
	case "date-time":
		return "2026-01-01T00:00:00Z"
	case "uri", "uri-template":
		return "https://github.example/thing"
	}
	return "x"
}

// flatten merges allOf, and selects the branch of oneOf and anyOf that value matches, or the first if value is nil.
func flatten(schema *openapi3.Schema, value any) *openapi3.Schema {
	for _, list := range []openapi3.SchemaRefs{schema.OneOf, schema.AnyOf} {
		for i, branch := range list {
			if value == nil || fits(branch.Value, value) || i == len(list)-1 {
				return flatten(branch.Value, value)
			}
		}
	}
	if len(schema.AllOf) == 0 {
		return schema
	}
	merged := *schema
	merged.AllOf = nil
	merged.Properties = openapi3.Schemas{}
	for _, part := range append(openapi3.SchemaRefs{{Value: &openapi3.Schema{
		Properties: schema.Properties,
		Required:   schema.Required,
	}}}, schema.AllOf...) {
		flat := flatten(part.Value, value)
		for name, property := range flat.Properties {
			merged.Properties[name] = property
		}
		merged.Required = append(merged.Required, flat.Required...)
		if merged.Type == nil {
			merged.Type = flat.Type
		}
	}
	return &merged
}

// fits reports whether value has the schema's type.
func fits(schema *openapi3.Schema, value any) bool {
	flat := flatten(schema, nil)
	switch value.(type) {
	case map[string]any:
		return flat.Type == nil || flat.Type.Is("object")
	case []any:
		return flat.Type != nil && flat.Type.Is("array")
	}
	return flat.Type != nil && !flat.Type.Is("object") && !flat.Type.Is("array")
}

func required(schema *openapi3.Schema, name string) bool {
	for _, wanted := range schema.Required {
		if wanted == name {
			return true
		}
	}
	return false
}
